"""The host's decoder against bytes that no trusted code wrote: it refuses, quickly, and allocates little."""

import random
import time
import tracemalloc

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from neurosym_sandbox import LoadFailed, Tampered, Usage, _reply, _wire
from neurosym_sandbox.session import _read

SEEN = {"usage": Usage(), "stdout": "", "stderr": "", "output_cut": False}

MALFORMED = [
    b"",
    b"nonsense",
    b"[",
    b"\xff\xfe",
    b"{}",
    b'{"a":1,"a":2}',
    b"1.5",
    b"NaN",
    b"[Infinity]",
    b'["L",-Infinity]',
    b"[]",
    b"[1]",
    b'["?"]',
    b'["L",[]]',
    b'["L",{"a":1}]',
    b"[[]]",
    b'["L",1]x',
    b'["i"]',
    b'["i",5]',
    b'["i","0x5"]',  # small integers have no tag
    b'["i","0xZZ"]',
    b'["i","5"]',
    b'["i","0x' + b"f" * 100_000 + b'"]',
    b"123456789012345678901",
    b"[" * 100_000,
    b'["f","1.5"]',
    b'["f","0x1.8p+99999"]',
    b'["f",1]',
    b'["f","nan","nan"]',
    b'["b","@@"]',
    b'["b","QQ"]',
    b'["D","1e5"]',
    b'["D","1E+99999999"]',
    b'["D","1E+999999"]',
    b'["D","' + b"9" * 200_000 + b'"]',
    b'["D"," 1"]',
    b'["D","1_0"]',
    b'["D","\xd9\xa1"]',  # an Arabic digit one
    b'["F",1,0]',
    b'["F",2,4]',
    b'["F",1,-2]',
    b'["F",true,2]',
    b'["F",1]',
    b'["F",["i","0x' + b"f" * 60_000 + b'"],1]',
    b'["d",2024,2,30]',
    b'["d",2024,2]',
    b'["d",true,1,1]',
    b'["d",99999,1,1]',
    b'["t",1,2,3,4,5,null]',
    b'["t",1,2,3,4,0]',
    b'["t",25,0,0,0,0,null]',
    b'["dt",2024,1,1,0,0,0,0,0]',
    b'["dt",2024,1,1,0,0,0,0,0,86400000000]',
    b'["dt",2024,1,1,0,0,0,0,0,"UTC"]',
    b'["td",1000000000,0,0]',
    b'["td",0,86400,0]',
    b'["td",0,0]',
    b'["S",1,1]',
    b'["S",1,true]',
    b'["S",["L"]]',
    b'["Z",["M"]]',
    b'["M",1]',
    b'["M",1,2,1,3]',
    b'["M",["L"],1]',
    b'["E","Side"]',
    b'["E",1,"A"]',
    b'["I","A","class"]',
    b'["I","A","dataclass","x"]',
    b'["I","A","dataclass",1,2]',
    b'["I","A","dataclass","x",1,"x",2]',
    b'["I"]',
]


@pytest.mark.parametrize("body", MALFORMED, ids=lambda body: repr(body[:30]))
def test_malformed_values_are_refused(body):
    with pytest.raises(_wire.Malformed):
        _reply.value(_wire.parse(body))


def test_nesting_deeper_than_the_bound():
    body = b'["L",' * 65 + b"1" + b"]" * 65
    with pytest.raises(_wire.Malformed, match="deep"):
        _reply.value(_wire.parse(body))


REPLIES = [
    b'["returned"]',
    b'["returned",1,2]',
    b'["returned",1,["L",1]]',
    b'["returned",1,null,null]',
    b'["raised","E",["E"],"m",0,null]',
    b'["raised","E",["E"],"m",1.0,null]',
    b'["raised","E","E","m",1,null]',
    b'["raised",1,["E"],"m",1,null]',
    b'["raised","E",["E"],1,1,null]',
    b'["raised","' + b"E" * 300 + b'",["E"],"m",1,null]',
    b'["raised","E",["E"],"' + b"m" * 5000 + b'",1,null]',
    b'["exit","0"]',
    b'["exit",99999999999]',
    b'["bad",1]',
    b'["memory",1]',
    b'["loaded",["x"],1,1]',
    b'["passed"]',
    b"null",
]


@pytest.mark.parametrize("body", REPLIES, ids=lambda body: repr(body[:40]))
def test_malformed_replies_are_tampering(body):
    assert isinstance(_read(body, SEEN, loading=False), Tampered)


@pytest.mark.parametrize(
    "body",
    [b'["returned",1,null]', b'["loaded",["x"],-1,1]', b'["loaded",[1],1,1]', b'["loaded",["x"],true,1]', b'["bad"]'],
)
def test_malformed_replies_to_a_load(body):
    assert isinstance(_read(body, SEEN, loading=True), Tampered | LoadFailed)


@settings(max_examples=500, deadline=None)
@given(st.binary(max_size=200))
@example(b'["returned",["L",["T",["S"]]],null]')
def test_any_bytes_give_an_outcome(body):
    _read(body, SEEN, loading=False)
    _read(body, SEEN, loading=True)


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_any_damage_to_a_legal_body_gives_an_outcome(data):
    legal = (
        b'["returned",["T",1,["D","1.50"],["dt",2024,1,2,3,4,5,6,0,null],["M","a",["S",1,2]],'
        b'["I","A","dataclass","x",["i","0x8000000000000000"]],["F",1,3],["b","QUI="],["f","0x1.8p+1"],'
        b'["N","float32",["f","0x1.8p+1"]],["N","datetime64[ns]",5]],["T"]]'
    )
    body = bytearray(legal)
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(body) - 1))
        change = data.draw(st.sampled_from(["set", "cut", "insert", "repeat"]))
        if change == "set":
            body[at] = data.draw(st.integers(0, 255))
        elif change == "cut":
            del body[at : at + data.draw(st.integers(1, 20))]
            body = body or bytearray(b"[")
        elif change == "insert":
            body[at:at] = data.draw(st.sampled_from([b"[", b"]", b",", b'"', b"0", b'["L",', b"null", b"-", b"\\u"]))
        else:
            body[at:at] = body[at : at + 10]
    _read(bytes(body), SEEN, loading=False)


@pytest.mark.parametrize(
    "body",
    [
        b"[" * 4_000_000,
        b'["L",' * 800_000,
        b"[" + b"[],[]," * 700_000 + b"1]",
        b'["L",' + b"1," * 2_000_000 + b"1]",
        b'["D","' + b"9" * 4_000_000 + b'"]',
        b"9" * 4_000_000,
        b'["i","0x' + b"f" * 4_000_000 + b'"]',
        b'["returned","' + b"\\u" * 2_000_000 + b'",null]',
        b'["returned",["F",["i","0x' + b"f" * 16_000 + b'"],["i","0x' + b"e" * 16_000 + b'"]],null]',
    ],
    ids=lambda body: repr(body[:20]),
)
def test_four_megabytes_of_malice_cost_little(body):
    tracemalloc.start()
    started = time.process_time()
    try:
        assert isinstance(_read(body, SEEN, loading=False), Tampered)
        assert time.process_time() - started < 20  # far from a timing: it must not be minutes
        assert tracemalloc.get_traced_memory()[1] < 200 * 2**20
    finally:
        tracemalloc.stop()


PIECES = [
    b"[", b"]", b",", b'"', b"null", b"true", b"-", b"9" * 30, b"\\ud800", b'["L",', b'["M",', b'["S",', b'["i","0x',
    b'["F",', b'["D","1E+', b'["N","int8",', b'["I","A","dataclass",', b'["T"' * 70, b"1," * 200, b"\xff", b"{", b"NaN",
]  # fmt: skip


@pytest.mark.parametrize("seconds", [1.5, pytest.param(120, marks=pytest.mark.slow)])
def test_the_decoder_survives_a_while_of_fuzzing(seconds):
    """Bodies are spliced from what is nearly legal; what comes is an outcome, soon, and little memory is used."""
    chance = random.Random(20240229)
    corpus = [*MALFORMED, *REPLIES, *(b'["returned",' + body + b",null]" for body in MALFORMED)]
    corpus = [body for body in corpus if len(body) < 5000]
    until, slowest = time.monotonic() + seconds, 0.0
    tracemalloc.start()
    try:
        while time.monotonic() < until:
            one, other = chance.choice(corpus), chance.choice(corpus)
            body = (
                one[: chance.randrange(len(one) + 1)]
                + chance.choice(PIECES)
                + other[chance.randrange(len(other) + 1) :]
            )
            for _ in range(chance.randrange(4)):
                at = chance.randrange(len(body) + 1)
                body = body[:at] + chance.choice(PIECES) + body[at + chance.randrange(3) :]
            started = time.process_time()
            _read(body, SEEN, loading=chance.random() < 0.3)
            slowest = max(slowest, time.process_time() - started)
            if len(body) < 2000 and len(corpus) < 3000:
                corpus.append(body)
        assert tracemalloc.get_traced_memory()[1] < 64 * 2**20
        assert slowest < 1
    finally:
        tracemalloc.stop()
