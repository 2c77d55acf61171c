"""What real test runners say of a run, recorded: the ground on which `engrain.learn.testing` is tested."""
