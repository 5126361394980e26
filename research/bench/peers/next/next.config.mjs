// Else Turbopack takes this repository for the root, whose lock file lies above.
export default { turbopack: { root: import.meta.dirname } }
