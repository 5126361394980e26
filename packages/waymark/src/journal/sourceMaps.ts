import { readFile } from 'node:fs/promises'
import type { SourceMap } from 'node:module'
import path from 'node:path'
import { devBuildId } from '../shared/build.ts'
import { generatedFileOf } from './generatedFile.ts'
import { createLoadMap, type LoadMap } from './mapFiles.ts'
import { parseFrame, type StackFrame } from './stackFrames.ts'

/** Where a frame is in what an author wrote. */
export type SourcePosition = {
  /** Absolute. */
  readonly file: string
  /** From 1. */
  readonly line: number
  /** From 1. */
  readonly column: number
  /** Whether it is the app's own, and no package's. */
  readonly isOwn: boolean
  /** The file's text at the time of the build, as far as it is known. */
  readonly source: string | null
}

/** A frame, and its place if that could be found. */
export type MappedFrame = { readonly frame: StackFrame; readonly place: SourcePosition | null }

/** What a stack comes from. */
export type StackOrigin = { readonly isBrowser: boolean; readonly buildId: string | null }

/** Maps a stack as the journal keeps it: frames alone, one a line. */
export type MapStack = (stack: string, origin: StackOrigin) => Promise<MappedFrame[]>

/** An app whose stacks are to be mapped. */
export type MapOptions = {
  /** Absolute. */
  readonly root: string
  /** Folder that builds are written to, absolute. */
  readonly buildDir: string
  /** Of the build that stands there now. */
  readonly currentBuildId: string | null
}

/**
 * Makes what leads stacks back to the author's files. It reads files, so it is for when an entry is
 * looked at, not for when it occurs.
 */
export function createStackMapper(options: MapOptions): MapStack {
  const loadMap = createLoadMap(options.buildDir, options.currentBuildId)
  return (stack, origin) =>
    Promise.all(
      stack.split('\n').map(async (text) => {
        const frame = parseFrame(text)
        return { frame, place: await placeOf(frame, origin, options, loadMap) }
      }),
    )
}

async function placeOf(
  frame: StackFrame,
  origin: StackOrigin,
  options: MapOptions,
  loadMap: LoadMap,
): Promise<SourcePosition | null> {
  if (frame.file === null) return null
  const folder = path.basename(options.buildDir)
  const generated = generatedFileOf(frame.file, { ...origin, folder })
  if (generated === null) return isAuthored(frame, origin) ? authored(frame, options) : null
  const map = await loadMap(generated, origin.buildId)
  return map && mapped(frame, map, path.join(options.buildDir, generated))
}

function mapped(
  { line, column }: StackFrame,
  map: SourceMap,
  generatedPath: string,
): SourcePosition | null {
  const found = map.findEntry(line - 1, column - 1)
  // It gives the nearest mapping before, which may be that of another line.
  if (!('originalSource' in found) || found.generatedLine !== line - 1) return null
  const { sources, sourcesContent } = map.payload
  const at = sources.indexOf(found.originalSource)
  const file = path.resolve(path.dirname(generatedPath), plainPath(found.originalSource))
  return {
    file,
    line: found.originalLine + 1,
    column: found.originalColumn + 1,
    isOwn: isOwn(file),
    source: sourcesContent?.[at] ?? null,
  }
}

// Of a browser, they are a stranger's word, unless the dev server has put them there: even then
// they show nothing but source code.
function isAuthored({ file }: StackFrame, { isBrowser, buildId }: StackOrigin): boolean {
  return !isBrowser || (buildId === devBuildId && /\.(?:[cm]?[jt]sx?|mdx?)$/.test(file ?? ''))
}

/** In development, frames name the author's files themselves. */
async function authored(
  { file, line, column }: StackFrame,
  { root }: MapOptions,
): Promise<SourcePosition | null> {
  const absolute = plainPath(file ?? '')
  if (!path.isAbsolute(absolute) || !isOwn(absolute) || !isInside(absolute, root)) return null
  const source = await readFile(absolute, 'utf8').catch(() => null)
  return { file: absolute, line, column, isOwn: true, source }
}

function plainPath(file: string): string {
  const found = /^(?:about:\/\/React\/[^/]+\/)?file:\/\/(\/.*)$/.exec(file)?.[1]
  if (found === undefined) return file
  try {
    return decodeURIComponent(found)
  } catch {
    return found
  }
}

// Sources without a file, such as those of plugins, begin with a zero byte or a scheme.
function isOwn(file: string): boolean {
  return !/\0|[\\/]node_modules[\\/]|virtual:|[\\/]waymark[\\/]dist[\\/]/.test(file)
}

function isInside(file: string, folder: string): boolean {
  return file.startsWith(folder.endsWith(path.sep) ? folder : folder + path.sep)
}
