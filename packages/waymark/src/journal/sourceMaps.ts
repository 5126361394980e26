import { readdir, readFile, stat } from 'node:fs/promises'
import { SourceMap } from 'node:module'
import path from 'node:path'
import { buildLayout, devBuildId } from '../builds/buildManifest.ts'
import { tryOrUndefined } from '../shared/neverThrows.ts'
import { filePathOf, isBelow } from './filePaths.ts'
import { parseFrame, type StackFrame } from './thrownText.ts'

export type SourcePosition = {
  readonly file: string
  readonly line: number
  readonly column: number
  /** True for a file of the app, false for a file of a package. */
  readonly isAppCode: boolean
  /** The file's content when it was built; `null` if unknown. */
  readonly source: string | null
}

export type MappedFrame = { readonly frame: StackFrame; readonly place: SourcePosition | null }

export type StackOrigin = { readonly isBrowser: boolean; readonly buildId: string | null }

/** Maps a stack to source files. @param stack only frames, one per line */
export type MapStack = (stack: string, origin: StackOrigin) => Promise<MappedFrame[]>

export type MapOptions = {
  readonly root: string
  readonly buildDir: string
  readonly currentBuildId: string | null
}

/**
 * Creates a function that maps stacks. It reads source maps, so only call it when somebody views an
 * entry.
 */
export function createStackMapper({ root, buildDir, currentBuildId }: MapOptions): MapStack {
  const loadMap = createLoadMap(buildDir, currentBuildId)
  const folder = path.basename(buildDir)

  async function placeOf(frame: StackFrame, origin: StackOrigin): Promise<SourcePosition | null> {
    if (frame.file === null) return null
    const generated = generatedFileOf(frame.file, { isBrowser: origin.isBrowser, folder })
    if (generated === null) return isAuthored(frame, origin) ? authored(frame, root) : null
    const map = await loadMap(generated, origin.buildId)
    return map && mapped(frame, map, path.join(buildDir, generated))
  }

  return (stack, origin) =>
    Promise.all(
      stack.split('\n').map(async (text) => {
        const frame = parseFrame(text)
        return { frame, place: await placeOf(frame, origin) }
      }),
    )
}

function mapped(
  { line, column }: StackFrame,
  map: SourceMap,
  generatedPath: string,
): SourcePosition | null {
  const mapping = map.findEntry(line - 1, column - 1)
  // Node returns the nearest earlier mapping, which may belong to a different line.
  if (!('originalSource' in mapping) || mapping.generatedLine !== line - 1) return null
  const { sources, sourcesContent } = map.payload
  const at = sources.indexOf(mapping.originalSource)
  const file = path.resolve(path.dirname(generatedPath), filePathOf(mapping.originalSource))
  return {
    file,
    line: mapping.originalLine + 1,
    column: mapping.originalColumn + 1,
    isAppCode: isAppFile(file),
    source: sourcesContent?.[at] ?? null,
  }
}

// True for a frame that is already in a source file. Browsers can send any frame, but in
// development their source files are accepted.
function isAuthored({ file }: StackFrame, { isBrowser, buildId }: StackOrigin): boolean {
  return !isBrowser || (buildId === devBuildId && /\.(?:[cm]?[jt]sx?|mdx?)$/.test(file ?? ''))
}

async function authored(
  { file, line, column }: StackFrame,
  root: string,
): Promise<SourcePosition | null> {
  const absolute = filePathOf(file ?? '')
  if (!isBelow(root, absolute) || !isAppFile(absolute)) return null
  const source = await readFile(absolute, 'utf8').catch(() => null)
  return { file: absolute, line, column, isAppCode: true, source }
}

// True for one of the app's files. False for virtual sources, whose names contain a zero byte or a
// scheme.
function isAppFile(file: string): boolean {
  return !/\0|[\\/]node_modules[\\/]|virtual:|[\\/]waymark[\\/]dist[\\/]/.test(file)
}

// Maximum bytes of a source map: larger than any real one, and small enough for a command's memory.
const maxMapBytes = 256 * 2 ** 20

function createLoadMap(buildDir: string, currentBuildId: string | null) {
  const loaded = new Map<string, Promise<SourceMap | null>>()
  const mapsDir = path.join(buildDir, buildLayout.maps)

  async function find(file: string, buildId: string | null): Promise<SourceMap | null> {
    for (const folder of await foldersFor(file, buildId)) {
      const map = await readMap(path.join(folder, `${file}.map`))
      if (map) return map
    }
    return null
  }

  /**
   * Returns the folders in which to search for a file. A file name only identifies a file within
   * one build, unless it contains a hash.
   */
  async function foldersFor(file: string, buildId: string | null): Promise<string[]> {
    const mapsBuildId = buildId ?? currentBuildId
    const folders =
      mapsBuildId !== null && /^[\w-]+$/.test(mapsBuildId) ? [path.join(mapsDir, mapsBuildId)] : []
    if (mapsBuildId === currentBuildId) folders.push(buildDir)
    if (!file.startsWith('client/')) return folders
    const others = await readdir(mapsDir).catch(() => [])
    return [...folders, ...others.map((name) => path.join(mapsDir, name)), buildDir]
  }

  return (file: string, buildId: string | null): Promise<SourceMap | null> => {
    const key = `${buildId} ${file}`
    const map = loaded.get(key) ?? find(file, buildId)
    loaded.set(key, map)
    return map
  }
}

async function readMap(file: string): Promise<SourceMap | null> {
  try {
    if ((await stat(file)).size > maxMapBytes) return null
    return new SourceMap(JSON.parse(await readFile(file, 'utf8')))
  } catch {
    // Without a readable map, the frame stays as it is.
    return null
  }
}

const served = '/_waymark/assets/'

/**
 * Returns a generated file's path within the build folder, or `null` for other files.
 * @param file path or URL. Untrusted if it comes from a browser
 */
export function generatedFileOf(
  file: string,
  { isBrowser, folder }: { isBrowser: boolean; folder: string },
): string | null {
  const path = pathnameOf(file)
  if (path === null) return null
  const pathInBuild = isBrowser
    ? after(path, served, `client${served}`)
    : after(path, `/${folder}/`, '')
  const isPlain = pathInBuild
    ?.split('/')
    .every((part) => /^[^\\:]+$/.test(part) && !/^\.+$/.test(part))
  return pathInBuild && isPlain ? pathInBuild : null
}

function pathnameOf(file: string): string | null {
  if (!/^[a-z][\w+.-]*:\/\//i.test(file)) return file.replaceAll('\\', '/')
  return tryOrUndefined(() => decodeURIComponent(new URL(file).pathname)) ?? null
}

function after(path: string, mark: string, lead: string): string | null {
  const at = path.lastIndexOf(mark)
  return at === -1 ? null : lead + path.slice(at + mark.length)
}

const linesAround = 2

/**
 * Returns the lines around a position in a source file, with a mark below the position.
 * @param line starts at 1
 * @param column starts at 1
 */
export function codeFrame(source: string, line: number, column: number): string {
  const lines = source.split(/\r?\n/)
  const first = Math.max(1, line - linesAround)
  const last = Math.min(lines.length, line + linesAround)
  const width = String(last).length
  const written: string[] = []
  for (let number = first; number <= last; number++) {
    const text = lines[number - 1] ?? ''
    written.push(`${String(number).padStart(width)} | ${text}`)
    if (number === line) written.push(`${' '.repeat(width)} | ${markBelow(text, column)}`)
  }
  return written.join('\n')
}

// Returns the line with the mark. It has the same tabs as the line above, so that they are aligned.
function markBelow(text: string, column: number): string {
  const before = text.slice(0, Math.max(0, column - 1)).replace(/[^\t]/g, ' ')
  return `${before}^`
}
