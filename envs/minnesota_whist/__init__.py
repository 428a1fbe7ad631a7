"""Minnesota Whist and its relatives Askov and South Dakota: whist for two partnerships, high or low, for four players."""
