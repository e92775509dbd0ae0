"""The inputs of a spec as symbolic values of one shape, and the way between them and real inputs."""
