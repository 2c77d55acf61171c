"""`make test-train`: the chain on a real small model, on the CPU, without a network once it is prepared."""
