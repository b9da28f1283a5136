#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Trains, quantises and exports the demo's network. Run by hand; the build never does.

Usage: train_digits.py MNIST_DIR OUTPUT_DIR
MNIST_DIR holds the four IDX files of MNIST (see traces/digits/README.md). Writes digits.tflite, images.idx3-ubyte.gz and
labels.idx1-ubyte.gz. Needs python3-numpy and flatc. The same numpy and BLAS give the same bytes: everything is seeded.
"""
import gzip
import json
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

SEED = 20240
EPOCHS = 4
BATCH = 128
HELD_OUT = 500
SCHEMA = pathlib.Path(__file__).resolve().parent.parent / "importer" / "tflite.fbs"


def read_idx(path):
    data = pathlib.Path(path).read_bytes()
    rank = data[3]
    shape = [int.from_bytes(data[4 + 4 * i:8 + 4 * i], "big") for i in range(rank)]
    return np.frombuffer(data, np.uint8, offset=4 + 4 * rank).reshape(shape)


def write_idx(path, array):
    head = bytes([0, 0, 8, array.ndim]) + b"".join(int(n).to_bytes(4, "big") for n in array.shape)
    # mtime 0: the same images give the same file
    path.write_bytes(gzip.compress(head + np.ascontiguousarray(array).tobytes(), 9, mtime=0))


# ---- the float network: conv 3x3x16, pool, conv 3x3x32, pool, fully connected 10 ----

def patches(x):
    """[n, h, w, c] -> [n, h, w, 9 * c], SAME padding."""
    n, h, w, c = x.shape
    padded = np.pad(x, ((0, 0), (1, 1), (1, 1), (0, 0)))
    return np.concatenate([padded[:, i:i + h, j:j + w] for i in range(3) for j in range(3)], axis=3)


def unpatch(dp, c):
    n, h, w, _ = dp.shape
    padded = np.zeros((n, h + 2, w + 2, c), np.float32)
    for k in range(9):
        i, j = divmod(k, 3)
        padded[:, i:i + h, j:j + w] += dp[..., k * c:(k + 1) * c]
    return padded[:, 1:-1, 1:-1]


def pool(x):
    n, h, w, c = x.shape
    return x.reshape(n, h // 2, 2, w // 2, 2, c).max(axis=(2, 4))


def unpool(dy, x, y):
    """The gradient goes to the (first) largest of the four; ties are rare enough to share it."""
    up = np.repeat(np.repeat(y, 2, 1), 2, 2)
    return np.repeat(np.repeat(dy, 2, 1), 2, 2) * (x == up)


def forward(p, x):
    s = {"p1": patches(x)}
    s["a1"] = np.maximum(s["p1"] @ p["w1"] + p["b1"], 0)
    s["m1"] = pool(s["a1"])
    s["p2"] = patches(s["m1"])
    s["a2"] = np.maximum(s["p2"] @ p["w2"] + p["b2"], 0)
    s["m2"] = pool(s["a2"])
    s["flat"] = s["m2"].reshape(len(x), -1)
    s["logits"] = s["flat"] @ p["w3"] + p["b3"]
    return s


def gradients(p, s, labels):
    n = len(labels)
    e = np.exp(s["logits"] - s["logits"].max(1, keepdims=True))
    d = e / e.sum(1, keepdims=True)
    d[np.arange(n), labels] -= 1
    d /= n
    g = {"w3": s["flat"].T @ d, "b3": d.sum(0)}
    d2 = unpool((d @ p["w3"].T).reshape(s["m2"].shape), s["a2"], s["m2"]) * (s["a2"] > 0)
    g["w2"] = s["p2"].reshape(-1, s["p2"].shape[-1]).T @ d2.reshape(-1, 32)
    g["b2"] = d2.sum((0, 1, 2))
    d1 = unpool(unpatch(d2 @ p["w2"].T, 16), s["a1"], s["m1"]) * (s["a1"] > 0)
    g["w1"] = s["p1"].reshape(-1, 9).T @ d1.reshape(-1, 16)
    g["b1"] = d1.sum((0, 1, 2))
    return g


def train(images, labels):
    rng = np.random.default_rng(SEED)

    def he(fan_in, *shape):
        return rng.normal(0, np.sqrt(2 / fan_in), shape).astype(np.float32)

    p = {"w1": he(9, 9, 16), "b1": np.zeros(16, np.float32), "w2": he(144, 144, 32), "b2": np.zeros(32, np.float32),
         "w3": he(1568, 1568, 10), "b3": np.zeros(10, np.float32)}
    m = {k: np.zeros_like(v) for k, v in p.items()}
    v = {k: np.zeros_like(w) for k, w in p.items()}
    step = 0
    for epoch in range(EPOCHS):
        order = rng.permutation(len(images))
        rate = 2e-3 * (1 - epoch / EPOCHS)
        right = 0
        for at in range(0, len(order), BATCH):
            chosen = order[at:at + BATCH]
            s = forward(p, images[chosen])
            right += (s["logits"].argmax(1) == labels[chosen]).sum()
            step += 1
            for k, g in gradients(p, s, labels[chosen]).items():  # Adam
                m[k] = 0.9 * m[k] + 0.1 * g
                v[k] = 0.999 * v[k] + 0.001 * g * g
                p[k] -= (rate * (m[k] / (1 - 0.9**step)) / (np.sqrt(v[k] / (1 - 0.999**step)) + 1e-8)).astype(np.float32)
        print(f"epoch {epoch + 1}: training accuracy {right / len(images):.4f}", flush=True)
    return p


# ---- quantisation after training: int8, weights per channel (per tensor for the fully connected layer) ----

def relu_scale(values):
    return np.float32(values.max() / 255)  # zero point -128


def quantise(p, calibration):
    s = forward(p, calibration)
    low, high = float(min(s["logits"].min(), 0)), float(max(s["logits"].max(), 0))
    logits_scale = np.float32((high - low) / 255)
    q = {"s0": np.float32(1 / 255), "s1": relu_scale(s["a1"]), "s2": relu_scale(s["a2"]), "s3": logits_scale,
         "z3": int(np.clip(round(-128 - low / float(logits_scale)), -128, 127))}
    for k, s_in, axis in (("1", q["s0"], 0), ("2", q["s1"], 0), ("3", q["s2"], None)):
        w = p["w" + k]
        scale = (np.abs(w).max(axis=axis) / 127).astype(np.float32)
        q["w" + k] = np.clip(np.round(w / scale), -127, 127).astype(np.int8)
        q["ws" + k] = np.atleast_1d(scale)
        q["b" + k] = np.round(p["b" + k] / (scale.astype(np.float64) * s_in)).astype(np.int32)
    return q


# ---- export ----

def export(q, path):
    buffers = [{}]
    tensors = []

    def tensor(name, kind, shape, scale=None, zero_point=0, dimension=0, data=None):
        buffer = 0
        if data is not None:
            buffers.append({"data": list(np.ascontiguousarray(data).tobytes())})
            buffer = len(buffers) - 1
        entry = {"shape": shape, "type": kind, "buffer": buffer, "name": name}
        if scale is not None:
            scales = [float(x) for x in np.atleast_1d(scale)]
            entry["quantization"] = {"scale": scales, "zero_point": [zero_point] * len(scales),
                                     "quantized_dimension": dimension}
        tensors.append(entry)
        return len(tensors) - 1

    def conv_weights(k, inputs, outputs):
        w = q["w" + k].reshape(3, 3, inputs, outputs).transpose(3, 0, 1, 2)  # out, height, width, in
        return (tensor(f"conv{k}/weights", "INT8", list(w.shape), q["ws" + k], data=w),
                tensor(f"conv{k}/bias", "INT32", [outputs], q["ws" + k] * (q["s0"], q["s1"])[int(k) - 1],
                       data=q["b" + k]))

    image = tensor("image", "INT8", [1, 28, 28, 1], q["s0"], -128)
    w1, b1 = conv_weights("1", 1, 16)
    w2, b2 = conv_weights("2", 16, 32)
    w3 = tensor("dense/weights", "INT8", [10, 1568], q["ws3"], data=q["w3"].T)
    b3 = tensor("dense/bias", "INT32", [10], q["ws3"] * q["s2"], data=q["b3"])
    shape = tensor("flat/shape", "INT32", [2], data=np.array([1, 1568], np.int32))
    c1 = tensor("conv1", "INT8", [1, 28, 28, 16], q["s1"], -128)
    p1 = tensor("pool1", "INT8", [1, 14, 14, 16], q["s1"], -128)
    c2 = tensor("conv2", "INT8", [1, 14, 14, 32], q["s2"], -128)
    p2 = tensor("pool2", "INT8", [1, 7, 7, 32], q["s2"], -128)
    flat = tensor("flat", "INT8", [1, 1568], q["s2"], -128)
    logits = tensor("logits", "INT8", [1, 10], q["s3"], q["z3"])
    digits = tensor("digit", "INT8", [1, 10], 1 / 256, -128)

    codes = ["CONV_2D", "MAX_POOL_2D", "RESHAPE", "FULLY_CONNECTED", "SOFTMAX"]
    versions = [3, 2, 1, 4, 2]
    numbers = [3, 17, 22, 9, 25]

    def op(code, inputs, outputs, options):
        kind = {"CONV_2D": "Conv2DOptions", "MAX_POOL_2D": "Pool2DOptions", "RESHAPE": "ReshapeOptions",
                "FULLY_CONNECTED": "FullyConnectedOptions", "SOFTMAX": "SoftmaxOptions"}[code]
        return {"opcode_index": codes.index(code), "inputs": inputs, "outputs": outputs, "builtin_options_type": kind,
                "builtin_options": options}

    conv = {"padding": "SAME", "stride_w": 1, "stride_h": 1, "fused_activation_function": "RELU"}
    half = {"padding": "VALID", "stride_w": 2, "stride_h": 2, "filter_width": 2, "filter_height": 2}
    model = {
        "version": 3,
        "operator_codes": [{"deprecated_builtin_code": n, "builtin_code": c, "version": v}
                           for c, n, v in zip(codes, numbers, versions)],
        "subgraphs": [{
            "tensors": tensors, "inputs": [image], "outputs": [digits], "name": "main",
            "operators": [op("CONV_2D", [image, w1, b1], [c1], conv), op("MAX_POOL_2D", [c1], [p1], half),
                          op("CONV_2D", [p1, w2, b2], [c2], conv), op("MAX_POOL_2D", [c2], [p2], half),
                          op("RESHAPE", [p2, shape], [flat], {"new_shape": [1, 1568]}),
                          op("FULLY_CONNECTED", [flat, w3, b3], [logits], {}),
                          op("SOFTMAX", [logits], [digits], {"beta": 1.0})]}],
        "description": "Handwritten digits, int8; tools/demo/train_digits.py",
        "buffers": buffers,
    }
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder) / "digits.json"
        source.write_text(json.dumps(model))
        subprocess.run(["flatc", "--binary", "-o", folder, str(SCHEMA), str(source)], check=True)
        path.write_bytes((pathlib.Path(folder) / "digits.tflite").read_bytes())


def main():
    source, target = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    images = read_idx(source / "train-images-idx3-ubyte")
    labels = read_idx(source / "train-labels-idx1-ubyte")
    test_images = read_idx(source / "t10k-images-idx3-ubyte")
    test_labels = read_idx(source / "t10k-labels-idx1-ubyte")
    real = (images[..., None] / np.float32(255)).astype(np.float32)
    p = train(real, labels)
    held_out = (test_images[..., None] / np.float32(255)).astype(np.float32)
    right = sum((forward(p, held_out[i:i + 500])["logits"].argmax(1) == test_labels[i:i + 500]).sum()
                for i in range(0, len(held_out), 500))
    print(f"float accuracy on the 10,000 test images: {right / len(held_out):.4f}")
    target.mkdir(parents=True, exist_ok=True)
    export(quantise(p, real[:1000]), target / "digits.tflite")
    write_idx(target / "images.idx3-ubyte.gz", test_images[:HELD_OUT])
    write_idx(target / "labels.idx1-ubyte.gz", test_labels[:HELD_OUT])


if __name__ == "__main__":
    main()
