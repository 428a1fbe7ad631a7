"""Statistics of deal blocks: how sure a figure is, how many deals it takes, who is the best of many."""
