// Longer names are refused by file systems, and compressed siblings need room for their ends.
const maxLength = 180

/**
 * Makes names for the files of pathnames, readable where the pathname is plain. Two pathnames
 * that a file system might not tell apart get different ones.
 * @returns gives a name without an extension: `index`, `blog/first-post`
 */
export function createFileNames(): (pathname: string) => string {
  const taken = new Set<string>()
  return (pathname) => {
    const plain = plainName(pathname)
    let name = plain
    for (let count = 2; taken.has(name.toLowerCase()); count++) name = `${plain}~${count}`
    taken.add(name.toLowerCase())
    return name
  }
}

function plainName(pathname: string): string {
  const name = pathname
    .slice(1)
    .replace(/[^\w\-./]/g, '_')
    // Hidden files are not served, and dots at an end are dropped by some systems.
    .replace(/(^|\/)\.+|\.+(?=\/|$)/g, '$1_')
    .slice(0, maxLength)
  return name.replace(/\/$/, '_') || 'index'
}
