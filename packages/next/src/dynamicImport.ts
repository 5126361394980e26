type Modules = Readonly<Record<string, () => Promise<unknown>>>

/** Endings that a path may leave out, in the order in which bundlers try them. */
const endings = ['', '.js', '.mjs', '.tsx', '.ts', '.jsx', '.json', '.mdx']

/**
 * Imports a module by a computed path.
 * @param path relative to the file that imports it
 * @param modules the modules that the path can lead to, keyed by their paths, which start with `./`
 * or `../`
 */
export function __nextImport(path: string, modules: Modules): Promise<unknown> {
  const clean = withoutDots(path)
  const files = [clean, `${clean}/index`].flatMap((file) => endings.map((each) => file + each))
  const load = files.map((file) => modules[file]).find((each) => each !== undefined)
  if (load !== undefined) return load()
  const error = new Error(`Cannot find module '${path}'`)
  return Promise.reject(Object.assign(error, { code: 'MODULE_NOT_FOUND' }))
}

/** Removes empty segments and dots after the start of a relative path. */
function withoutDots(path: string): string {
  const [start = ''] = /^(?:\.\.?\/)+/.exec(path) ?? []
  const segments: string[] = []
  for (const segment of path.slice(start.length).split('/')) {
    if (segment === '..') segments.pop()
    else if (segment !== '' && segment !== '.') segments.push(segment)
  }
  return start + segments.join('/')
}
