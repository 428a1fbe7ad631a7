"""Networks see suits renamed: in a deck whose suits are exchanged they do the same."""

from dataclasses import replace

import numpy as np
import pytest
import torch

from tromf.agents import net
from tromf.agents.net import Network
from tromf.envs import BatchEnv, registry

GAME, _ = registry.find("101")


def made(**settings) -> Network:
    network = Network(GAME, range(GAME.bits), [32], **settings)
    network.initialise(torch.Generator().manual_seed(1))
    torch.nn.init.normal_(network.policy.weight, generator=torch.Generator().manual_seed(2))
    return network


@pytest.mark.parametrize("players", [2, 4, 6])
@pytest.mark.parametrize("by", [1, 2, 3])
def test_decks_with_suits_exchanged_are_played_alike(players, by):
    rng, n = np.random.default_rng(by), 20
    pack = [card for card in range(32) if players < 6 or card not in (1, 25)]  # without 8C and 8S, whose suits are exchanged too
    removed = ["8C", "8S"], [("8CDHS"[0] + "CDHS"[suit ^ by]) for suit in (0, 3)]
    envs = [BatchEnv("101", n, players=players, removed=eights) for eights in removed]
    decks = [rng.permutation(pack).tolist() for _ in range(n)]
    for env, change in zip(envs, (0, by)):
        env.reset(0, decks=[[card ^ change << 3 for card in deck] for deck in decks], dealers=0)
    names = np.array([action ^ by << 3 if action < 32 else action for action in range(GAME.actions)])
    network = made()
    while not envs[0].done.all():
        with torch.inference_mode():
            plain, renamed = (network.logits(env.observations).numpy() for env in envs)
        going = ~envs[0].done
        assert np.allclose(plain[going], renamed[going][:, names], atol=1e-4)
        actions = np.array([int(mask).bit_length() - 1 if mask else 0 for mask in envs[0].masks])
        for env, taken in zip(envs, (actions, names[actions])):
            env.step(taken)


def test_relabellings_are_permutations():
    symmetry = GAME.symmetry
    for relabelling in (*symmetry.bits, *symmetry.actions):
        assert sorted(relabelling) == list(range(len(relabelling)))


def test_files_say_whether_suits_were_renamed(tmp_path):
    env = BatchEnv("101", 8)
    env.reset(0)
    for renamed in (True, False):
        path = tmp_path / f"{renamed}.safetensors"
        network = made(renamed=renamed)
        net.save(path, GAME, network)
        read = net.load(path, GAME, spec="net").network
        assert torch.equal(read.logits(env.observations), network.logits(env.observations))
    with pytest.raises(ValueError, match="describes no network"):
        net.load(tmp_path / "True.safetensors", replace(GAME, symmetry=None), spec="net")
