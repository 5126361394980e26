// Otherwise, Turbopack uses the root of this repository, because of its lock file.
export default { turbopack: { root: import.meta.dirname } }
