/** A file that a build wrote, relative to its folder: `rsc/assets/page-Bx3_k9aQ.js`. */
export type GeneratedFile = string

const served = '/_waymark/assets/'

/**
 * Finds out which file of a build a frame is in.
 * @param file as the frame names it: a path or a URL; of a browser it is a stranger's word
 * @param folder name of the folder that builds are written to, such as `.waymark`
 * @returns `null` when it is in none; never a path that leaves the folder
 */
export function generatedFileOf(
  file: string,
  { isBrowser, folder }: { isBrowser: boolean; folder: string },
): GeneratedFile | null {
  const path = pathnameOf(file)
  if (path === null) return null
  const found = isBrowser ? after(path, served, `client${served}`) : after(path, `/${folder}/`, '')
  const isPlain = found?.split('/').every((part) => /^[^\\:]+$/.test(part) && !/^\.+$/.test(part))
  return found && isPlain ? found : null
}

function pathnameOf(file: string): string | null {
  if (!/^[a-z][\w+.-]*:\/\//i.test(file)) return file.replaceAll('\\', '/')
  try {
    return decodeURIComponent(new URL(file).pathname)
  } catch {
    return null
  }
}

function after(path: string, mark: string, lead: string): string | null {
  const at = path.lastIndexOf(mark)
  return at === -1 ? null : lead + path.slice(at + mark.length)
}
