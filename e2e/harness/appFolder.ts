import { createHash, randomBytes } from 'node:crypto'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { inject } from 'vitest'
import { fingerprint } from '../../scripts/workspace/fingerprint.mjs'
import { root } from '../../scripts/workspace/paths.mjs'
import { run } from '../../scripts/workspace/run.mjs'
import { appEnv } from './appEnv.ts'
import { withLock } from './lock.ts'
import { appSource } from './paths.ts'
import { reactFolder } from './reactVersions.ts'

/**
 * An app to run, which consists of a folder with sources, and of files that replace or extend the
 * sources.
 */
export type AppFiles = {
  /** Name of the app: `site`, `examples/<name>`, or a folder of `e2e/fixtures`. */
  readonly app: string
  /** Files to add or replace, by path relative to the app's root. */
  readonly files?: Readonly<Record<string, string>>
  /**
   * Links to create, with the path of each link and its target. Both paths are relative to the
   * app's root.
   */
  readonly links?: Readonly<Record<string, string>>
  /** Variables to add to the environment of the build and of the server. */
  readonly env?: Readonly<Record<string, string>>
  /** Version of React. Default: the workspace's version. */
  readonly react?: string
}

/**
 * Copies an app. The caller may change the copy, and must delete it afterwards.
 * @returns the root of the copy
 */
export function copyApp({ app, files = {}, links = {}, react }: AppFiles): string {
  const name = `${basename(app)}-${randomBytes(4).toString('hex')}`
  const folder = join(packagesFolder(react), name)
  layOut({ app, files, links }, folder)
  return folder
}

/**
 * Builds an app for production, once for the same content. Callers that need the same build wait
 * for the first.
 * @returns the root of the built app, which all callers share and must not change
 * @throws Error with the output of the build if the build fails
 */
export async function buildApp({
  app,
  files = {},
  links = {},
  env = {},
  react,
}: AppFiles): Promise<string> {
  const name = `${basename(app)}-${contentHash({ app, files, links, env })}-built`
  const folder = join(packagesFolder(react), name)
  const marker = `${folder}.done`
  return withLock(`${folder}.lock`, async () => {
    if (existsSync(marker)) return folder
    rmSync(folder, { recursive: true, force: true })
    layOut({ app, files, links }, folder)
    // Build the site for workerd, because Node and workerd can then serve the same build.
    const target = app === 'site' ? { TARGET: 'workerd' } : {}
    await runBuild(folder, { ...env, ...target }, waymarkCommand(react))
    writeFileSync(marker, '')
    return folder
  })
}

/** Returns the path of the `waymark` command in the packages under test. */
export function waymarkCommand(react?: string): string {
  return join(packagesFolder(react), 'node_modules/waymark/bin/waymark.js')
}

/**
 * Returns the folder that contains the packages under test, and the apps that use these packages.
 */
function packagesFolder(react: string | undefined): string {
  const folder = inject('workFolder')
  return react === undefined ? folder : reactFolder(folder, react)
}

const quickCompression = new URL('./quickCompression.mjs', import.meta.url).href

async function runBuild(
  folder: string,
  env: Readonly<Record<string, string>>,
  command: string,
): Promise<void> {
  const program = ['--import', quickCompression, command, 'build']
  const { exitCode, output } = await run(process.execPath, program, {
    cwd: folder,
    quiet: true,
    env: appEnv(env),
  })
  if (exitCode !== 0) throw new Error(`waymark build ended with ${exitCode}:\n${output}`)
}

/**
 * Vite configuration with the packages that `create-waymark` adds to a new app.
 * `WAYMARK_E2E_SPEEDUPS=1` adds `speedups()`, because all tests must pass with and without this
 * package.
 */
const usualConfig = `import { devtools } from '@waymark/devtools/vite'
import { speedups } from '@waymark/speedups/vite'
import { testing } from '@waymark/testing/vite'
import { node, staticSite, waymark } from 'waymark/vite'

const adapter = process.env.TARGET === 'static' ? staticSite({ allowMissing: true }) : node()
const packages = [devtools(), testing()${process.env.WAYMARK_E2E_SPEEDUPS ? ', speedups()' : ''}]
export default { plugins: [waymark({ adapter }), ...packages] }
`

type LaidOut = Required<Pick<AppFiles, 'app' | 'files' | 'links'>>

function layOut({ app, files, links }: LaidOut, folder: string) {
  const source = appSource(app)
  if (!existsSync(source)) throw new Error(`There is no app ${app}: ${source} does not exist.`)
  const isMade = (path: string) => /^(node_modules|\.waymark|dist|data)$/.test(basename(path))
  mkdirSync(dirname(folder), { recursive: true })
  cpSync(source, folder, { recursive: true, filter: (path) => !isMade(path) })
  // Add a manifest, which makes the copy a package with its own caches.
  const manifest = join(folder, 'package.json')
  if (!existsSync(manifest)) writeFileSync(manifest, '{ "private": true, "type": "module" }\n')
  const packages = join(source, 'node_modules')
  if (existsSync(packages)) symlinkSync(packages, join(folder, 'node_modules'))
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  for (const [name, target] of Object.entries(links)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    symlinkSync(join(folder, target), join(folder, name), 'junction')
  }
  const hasConfig = readdirSync(folder).some((name) => name.startsWith('vite.config.'))
  if (!hasConfig) writeFileSync(join(folder, 'vite.config.ts'), usualConfig)
}

function contentHash({ app, files, links, env }: Required<Omit<AppFiles, 'react'>>): string {
  return (
    createHash('sha256')
      .update(fingerprint(root, [appSource(app)]))
      // Include Node's version, because a different version may compress files differently.
      .update(JSON.stringify([files, links, env, process.version, usualConfig]))
      .digest('hex')
      .slice(0, 12)
  )
}
