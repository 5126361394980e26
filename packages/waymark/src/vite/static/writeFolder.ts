import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { type BuildManifest, buildLayout } from '../../shared/build.ts'
import { frameworkError } from '../../shared/errors.ts'
import type { PrerenderedManifest } from '../../shared/prerendered.ts'
import { planStaticFolder, type StaticFile } from './plan.ts'

/** Where a static folder comes from and goes to. */
export type StaticFolderOptions = {
  readonly root: string
  readonly buildDir: string
  /** Absolute. */
  readonly out: string
  readonly facts: BuildManifest
  /** Goes on when the app has routes that need a server. */
  readonly allowsMissing: boolean
}

// By it, a folder is known to be ours to empty.
const marker = '.waymark-static'

/**
 * Writes a build as a folder that any file server can host.
 * @returns what of the app is not in it
 * @throws `STATIC_ROUTES_MISSING`, `STATIC_OUT`: then nothing is written
 */
export async function writeStaticFolder(options: StaticFolderOptions): Promise<readonly string[]> {
  const { buildDir, out, facts, allowsMissing } = options
  const text = await readFile(path.join(buildDir, buildLayout.prerendered), 'utf8')
  const manifest = JSON.parse(text) as PrerenderedManifest
  const { files, missing } = planStaticFolder(manifest, facts)
  if (missing.length > 0 && !allowsMissing) {
    throw frameworkError('STATIC_ROUTES_MISSING', { routes: missing })
  }
  await emptyFolder(options)
  await cp(path.join(buildDir, buildLayout.client), out, {
    recursive: true,
    filter: (file) => !/\.(?:br|gz|zst)$/.test(file) && path.basename(file) !== '.vite',
  })
  for (const file of files) await writeStaticFile(file, options)
  await writeFile(path.join(out, marker), `${facts.buildId}\n`)
  return missing
}

async function writeStaticFile(
  planned: StaticFile,
  { buildDir, out }: StaticFolderOptions,
): Promise<void> {
  const target = path.join(out, planned.file)
  await mkdir(path.dirname(target), { recursive: true })
  if ('text' in planned) await writeFile(target, planned.text)
  else await cp(path.join(buildDir, planned.from), target)
}

async function emptyFolder({ root, buildDir, out }: StaticFolderOptions): Promise<void> {
  const refuse = (reason: string) => frameworkError('STATIC_OUT', { folder: out, reason })
  const isAround = (folder: string) => !path.relative(out, folder).startsWith('..')
  if (isAround(root) || isAround(buildDir)) throw refuse('the app itself lies in it')
  const found: string[] = await readdir(out).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw refuse(error.message)
  })
  if (found.length > 0 && !found.includes(marker)) {
    throw refuse('it holds files that Waymark did not write')
  }
  await rm(out, { recursive: true, force: true })
  await mkdir(out, { recursive: true })
}
