import {
  constants,
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import type { TemplateManifest } from './templates.ts'

/** What to write, and where. */
export type ProjectFiles = {
  /** The template's folder. */
  readonly from: string
  /** Absolute; it need not exist. */
  readonly folder: string
  /** Name of the package. */
  readonly name: string
  /** Replaces the template's dependency on Waymark; `null` keeps it. */
  readonly waymark: string | null
}

// The name in the templates, and the files that contain it.
const templateName = 'my-app'
const namedFiles = new Set(['package.json', 'README.md', join('app', 'layout.tsx')])

// npm would leave such a file out of a package, or rename it.
const trueNames: Readonly<Record<string, string>> = { _gitignore: '.gitignore' }

/**
 * Writes an app. After a failure, all new files are removed; existing ones stay as they are.
 * @returns removes what was written
 * @throws what the file system says
 */
export function writeProject(project: ProjectFiles): () => void {
  const created: string[] = []
  const undo = () => {
    for (const path of created.toReversed()) rmSync(path, { recursive: true, force: true })
  }
  try {
    for (const file of filesBelow(project.from)) writeFile(file, project, created)
  } catch (error) {
    undo()
    throw error
  }
  return undo
}

function writeFile(file: string, project: ProjectFiles, created: string[]): void {
  const target = join(project.folder, trueNames[file] ?? file)
  const firstCreated = mkdirSync(dirname(target), { recursive: true })
  if (firstCreated !== undefined) created.push(firstCreated)
  const source = join(project.from, file)
  if (namedFiles.has(file)) {
    const text = readFileSync(source, 'utf8').replaceAll(templateName, project.name)
    const written = file === 'package.json' ? withWaymark(text, project.waymark) : text
    // wx: a file that has appeared since the check is not overwritten.
    writeFileSync(target, written, { flag: 'wx' })
  } else {
    copyFileSync(source, target, constants.COPYFILE_EXCL)
  }
  created.push(target)
}

function withWaymark(text: string, specifier: string | null): string {
  if (specifier === null) return text
  const manifest = JSON.parse(text) as TemplateManifest
  const dependencies = { ...withOurs(manifest.dependencies, specifier), waymark: specifier }
  const { devDependencies } = manifest
  const written = devDependencies && { devDependencies: withOurs(devDependencies, specifier) }
  return `${JSON.stringify({ ...manifest, dependencies, ...written }, null, 2)}\n`
}

/** Packages beside the core have its version; beside its tarball, a tarball of their own. */
function withOurs(versions: Readonly<Record<string, string>>, specifier: string) {
  const ours = Object.keys(versions).filter((name) => name.startsWith('@waymark/'))
  const specifiers = ours.map((name) => {
    const packed = name.slice(1).replace('/', '-')
    return [name, specifier.replace(/waymark(?=-[^/\\]*\.tgz$)/, packed)]
  })
  return { ...versions, ...Object.fromEntries(specifiers) }
}

function filesBelow(folder: string, prefix = ''): string[] {
  return readdirSync(join(folder, prefix), { withFileTypes: true }).flatMap((entry) => {
    const path = join(prefix, entry.name)
    return entry.isDirectory() ? filesBelow(folder, path) : [path]
  })
}
