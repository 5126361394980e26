import { posix } from 'node:path'

/**
 * Returns the name by which code imports a module: the file's name without its extension, or the
 * folder's name for an index file.
 * @param path path or import specifier, such as `../ui/card.tsx` or `@/ui/card`
 */
export function moduleName(path: string): string {
  const base = posix.basename(path).replace(/\.\w+$/, '')
  return base === 'index' ? posix.basename(posix.dirname(path)) : base
}
