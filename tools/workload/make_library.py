#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the workloads of traces/: shapes of well-known networks, one layer a line, weights by seed.

Usage: make_library.py NAME   writes the workload to standard output; without NAME, lists the names.
"""
import json
import sys


class Network:
    def __init__(self, name, **inputs):
        self.top = {"name": name, "type": "int8", "seed": 1}
        self.inputs = [{"name": key, "shape": shape} for key, shape in inputs.items()]
        self.layers = []
        self.outputs = None

    def add(self, name, op, source=None, **keys):
        layer = {"name": name, "op": op}
        if source is not None:
            layer["inputs" if isinstance(source, list) else "input"] = source
        self.layers.append(layer | keys)
        return name

    def conv(self, name, filters, kernel=1, stride=1, activation="relu", source=None, padding="same", **keys):
        shape = {"kernel": kernel} | ({"stride": stride} if stride != 1 else {}) | {"padding": padding}
        return self.add(name, "conv2d", source, filters=filters, **shape, **active(activation), **keys)

    def depthwise(self, name, stride=1, activation="relu6", kernel=3, source=None):
        shape = {"kernel": kernel} | ({"stride": stride} if stride != 1 else {}) | {"padding": "same"}
        return self.add(name, "depthwise_conv2d", source, **shape, **active(activation))

    def text(self):
        lines = ["{"] + [f' "{key}": {json.dumps(value)},' for key, value in self.top.items()]
        rows = lambda values: ",\n".join("  " + json.dumps(value) for value in values)
        lines.append(' "inputs": [\n' + rows(self.inputs) + "\n ],")
        lines.append(' "layers": [\n' + rows(self.layers) + "\n ]" + ("," if self.outputs else ""))
        if self.outputs:
            lines.append(f' "outputs": {json.dumps(self.outputs)}')
        return "\n".join(lines + ["}"]) + "\n"


def active(name):
    return {"activation": name} if name != "none" else {}


def digits():
    """The demo's network."""
    net = Network("digits", picture=[1, 28, 28, 1])
    net.conv("conv1", 16, 3)
    net.add("pool1", "max_pool", kernel=2, stride=2)
    net.conv("conv2", 32, 3)
    net.add("pool2", "max_pool", kernel=2, stride=2)
    net.add("digits", "fully_connected", units=10)
    net.add("softmax", "softmax")
    return net


def resnet50():
    net = Network("resnet50", image=[1, 224, 224, 3])
    net.conv("conv1", 64, 7, 2, padding=[3, 3, 3, 3])
    last = net.add("pool1", "max_pool", kernel=3, stride=2, padding=[1, 1, 1, 1])
    for stage, (width, blocks) in enumerate([(64, 3), (128, 4), (256, 6), (512, 3)], 2):
        for block in range(blocks):
            here = f"conv{stage}_{block + 1}"
            stride = 2 if block == 0 and stage > 2 else 1
            shortcut = last
            if block == 0:
                shortcut = net.conv(here + "_shortcut", 4 * width, 1, stride, "none", last)
            net.conv(here + "_1", width, 1, source=last)
            net.conv(here + "_2", width, 3, stride, padding=[1, 1, 1, 1])
            net.conv(here + "_3", 4 * width, 1, activation="none")
            last = net.add(here + "_add", "add", [here + "_3", shortcut], activation="relu")
    net.add("pool5", "global_average_pool")
    net.add("classes", "fully_connected", units=1000)
    net.add("softmax", "softmax")
    return net


def mobilenet_v1():
    net = Network("mobilenet_v1_224", image=[1, 224, 224, 3])
    net.conv("conv1", 32, 3, 2, "relu6")
    plan = [(64, 1), (128, 2), (128, 1), (256, 2), (256, 1), (512, 2)] + [(512, 1)] * 5 + [(1024, 2), (1024, 1)]
    for i, (filters, stride) in enumerate(plan, 1):
        net.depthwise(f"depthwise{i}", stride)
        net.conv(f"pointwise{i}", filters, 1, activation="relu6")
    net.add("pool", "global_average_pool")
    net.add("classes", "fully_connected", units=1001)
    net.add("softmax", "softmax")
    return net


def inverted_residual(net, here, last, width, factor, filters, stride):
    if factor != 1:
        net.conv(here + "_expand", width * factor, 1, activation="relu6", source=last)
    net.depthwise(here + "_depthwise", stride, source=last if factor == 1 else None)
    out = net.conv(here + "_project", filters, 1, activation="none")
    return net.add(here + "_add", "add", [out, last]) if stride == 1 and width == filters else out


def mobilenet_v2_body(net):
    last, width = net.conv("conv1", 32, 3, 2, "relu6"), 32
    plan = [(1, 16, 1, 1), (6, 24, 2, 2), (6, 32, 3, 2), (6, 64, 4, 2), (6, 96, 3, 1), (6, 160, 3, 2), (6, 320, 1, 1)]
    count = 0
    for factor, filters, blocks, stride in plan:
        for block in range(blocks):
            count += 1
            last = inverted_residual(net, f"block{count}", last, width, factor, filters, stride if block == 0 else 1)
            width = filters
    net.conv("conv2", 1280, 1, activation="relu6")


def mobilenet_v2():
    net = Network("mobilenet_v2_224", image=[1, 224, 224, 3])
    mobilenet_v2_body(net)
    net.add("pool", "global_average_pool")
    net.add("classes", "fully_connected", units=1001)
    net.add("softmax", "softmax")
    return net


def layer_norm(net, name, source):
    net.add(name + "_mean", "mean", source, axes=[1])
    net.add(name + "_centred", "subtract", [source, name + "_mean"])
    net.add(name + "_unit", "l2_normalise")
    net.add(name + "_scaled", "scale_channels")
    return net.add(name, "shift_channels")


def bert_encoder():
    """BERT-base: 12 heads of 64, 128 tokens. The second operand of an attention product is a seeded constant of the same shape."""
    tokens, width, heads = 128, 768, 12
    net = Network("bert_base_encoder", tokens=[tokens, width])
    for name in ("query", "key", "value"):
        net.add(name, "fully_connected", "tokens", units=width)
    contexts = []
    for head in range(heads):
        here = f"head{head + 1}"
        size = width // heads
        net.add(here + "_query", "slice", "query", begin=[0, head * size], size=[tokens, size])
        net.add(here + "_scores", "fully_connected", units=tokens)
        net.add(here + "_softmax", "softmax")
        contexts.append(net.add(here + "_context", "fully_connected", units=size))
    net.add("context", "concatenate", contexts, axis=1)
    net.add("attention", "fully_connected", units=width)
    net.add("attention_add", "add", ["attention", "tokens"])
    normed = layer_norm(net, "attention_norm", "attention_add")
    inner = net.add("intermediate", "fully_connected", units=4 * width)
    net.add("gelu_gate", "logistic")
    net.add("gelu", "multiply", [inner, "gelu_gate"])
    net.add("output", "fully_connected", units=width)
    net.add("output_add", "add", ["output", normed])
    layer_norm(net, "output_norm", "output_add")
    net.outputs = ["output_norm", "key", "value"]
    return net


def keyword_spotter():
    """A depthwise separable network on 49 frames of 10 features."""
    net = Network("keyword_spotter", features=[1, 49, 10, 1])
    net.conv("conv1", 64, [10, 4], 2)
    for i in range(1, 5):
        net.depthwise(f"depthwise{i}", activation="relu")
        net.conv(f"pointwise{i}", 64, 1)
    net.add("pool", "global_average_pool")
    net.add("words", "fully_connected", units=12)
    net.add("softmax", "softmax")
    return net


def ssd_head():
    """The feature layers and predictors of an SSD on MobileNetV2 at 300: boxes and 91 classes for 1917 anchors."""
    net = Network("ssd_head", map19=[1, 19, 19, 576], map10=[1, 10, 10, 1280])
    maps = ["map19", "map10"]
    sides = [19, 10]
    for side, inner, filters in [(5, 256, 512), (3, 128, 256), (2, 128, 256), (1, 64, 128)]:
        net.conv(f"map{side}_reduce", inner, 1, activation="relu6", source=maps[-1])
        maps.append(net.conv(f"map{side}", filters, 3, 2, "relu6"))
        sides.append(side)
    boxes, classes = [], []
    for name, side in zip(maps, sides):
        anchors = 3 if side == 19 else 6
        for what, values, parts in (("boxes", 4, boxes), ("classes", 91, classes)):
            net.conv(f"{name}_{what}", anchors * values, 1, activation="none", source=name)
            parts.append(net.add(f"{name}_{what}_rows", "reshape", shape=[1, side * side * anchors, values]))
    net.add("boxes", "concatenate", boxes, axis=1)
    net.add("class_scores", "concatenate", classes, axis=1)
    net.add("classes", "logistic")
    net.outputs = ["boxes", "classes"]
    return net


NETWORKS = {"digits": digits, "resnet50": resnet50, "mobilenet_v1_224": mobilenet_v1, "mobilenet_v2_224": mobilenet_v2,
            "bert_base_encoder": bert_encoder, "keyword_spotter": keyword_spotter, "ssd_head": ssd_head}

if len(sys.argv) == 1:
    print("\n".join(NETWORKS))
elif len(sys.argv) == 2 and sys.argv[1] in NETWORKS:
    sys.stdout.write(NETWORKS[sys.argv[1]]().text())
else:
    sys.exit(f"make_library.py: {sys.argv[1:]}: one of {', '.join(NETWORKS)}")
