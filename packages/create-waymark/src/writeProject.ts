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

/** The app to write, and its folder. */
export type ProjectFiles = {
  /** The template's folder. */
  readonly from: string
  /** Absolute path. The folder may not exist yet. */
  readonly folder: string
  /** Name of the app's package. */
  readonly name: string
  /**
   * Version of Waymark to use instead of the template's version. With `null`, the template's
   * version stays.
   */
  readonly waymark: string | null
}

// The name that apps have in the templates, and the template files that contain it.
const templateName = 'my-app'
const namedFiles = new Set([
  'package.json',
  'README.md',
  join('app', 'layout.tsx'),
  join('app', '[locale]', 'layout.tsx'),
])

// Templates use a different name for .gitignore, because npm leaves .gitignore files out of
// packages or renames them.
const trueNames: Readonly<Record<string, string>> = { _gitignore: '.gitignore' }

/**
 * Writes the files of an app. After a failure, all new files are removed. Existing files stay
 * unchanged.
 * @returns a function that removes the new files
 * @throws errors from the file system
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
    // Use the flag `wx`, so that a file isn't overwritten if it was created after the check.
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

/**
 * Gives Waymark's other packages the same version as the core. Tarballs of the other packages are
 * expected next to the core's tarball.
 */
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
