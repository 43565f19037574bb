"""Kim's CNN for sentences: kernels of several widths side by side, embeddings that are given."""
import argparse

import numpy as np
from tensorflow.keras import Model, initializers, layers, regularizers


def load(vocab, length, count):
    x = np.random.randint(1, vocab, size=(count, length))
    y = np.random.randint(0, 4, size=count)
    return (x[: count * 3 // 4], y[: count * 3 // 4]), (x[count * 3 // 4:], y[count * 3 // 4:])


def text_cnn(vocab, length, matrix, classes, widths=(3, 4, 5), filters=16):
    words = layers.Input((length,), dtype="int32", name="words")
    embedded = layers.Embedding(vocab, matrix.shape[1], trainable=False,
                                embeddings_initializer=initializers.Constant(matrix))(words)
    # wrong: embedded = layers.Reshape((length, matrix.shape[1]))(embedded)
    embedded = layers.Reshape((length, matrix.shape[1], 1))(embedded)
    pooled = []
    for width in widths:
        conv = layers.Conv2D(filters, (width, matrix.shape[1]), activation="relu",  # E: SF103
                             kernel_regularizer=regularizers.l2(1e-3))(embedded)
        pooled.append(layers.MaxPooling2D((length - width + 1, 1))(conv))
    merged = layers.Concatenate(axis=1)(pooled)
    flat = layers.Flatten()(merged)
    return Model(words, layers.Dense(classes, activation="softmax")(layers.Dropout(0.5)(flat)))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--length", type=int, default=30)
    parser.add_argument("--vocab", type=int, default=300)
    parser.add_argument("--epochs", type=int, default=1)
    args = parser.parse_args()
    (x_train, y_train), (x_test, y_test) = load(args.vocab, args.length, 80)
    matrix = np.random.normal(size=(args.vocab, 20)).astype("float32")
    model = text_cnn(args.vocab, args.length, matrix, 4)
    model.compile("adadelta", "sparse_categorical_crossentropy", metrics=["accuracy"])
    model.fit(x_train, y_train, batch_size=20, epochs=args.epochs, validation_data=(x_test, y_test), verbose=0)
    loss, accuracy = model.evaluate(x_test, y_test, verbose=0)
    print("loss %.3f accuracy %.3f" % (loss, accuracy))


if __name__ == "__main__":
    main()
