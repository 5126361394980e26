import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { createFilter } from 'vite'
import { ssrExportNameKey } from 'vite/module-runner'

/**
 * Creates a function that returns true if a file's package says that the file has no side effects.
 * A build leaves such a file out if nothing uses its exports.
 */
export function createSideEffectCheck(): (file: string) => boolean {
  const checks = new Map<string, (file: string) => boolean>()
  const checkFor = (folder: string): ((file: string) => boolean) => {
    const cached = checks.get(folder)
    if (cached !== undefined) return cached
    const parent = path.dirname(folder)
    const manifest = path.join(folder, 'package.json')
    const check = existsSync(manifest)
      ? (readCheck(manifest) ?? checkFor(parent))
      : parent === folder
        ? () => false
        : checkFor(parent)
    checks.set(folder, check)
    return check
  }
  return (file) => path.isAbsolute(file) && checkFor(path.dirname(file))(file)
}

/** @returns `null` for the manifest of a folder inside a package, which only has a `type` */
function readCheck(manifest: string): ((file: string) => boolean) | null {
  const { name, sideEffects } = JSON.parse(readFileSync(manifest, 'utf8'))
  if (sideEffects === undefined) return name === undefined ? null : () => false
  if (!Array.isArray(sideEffects)) return () => sideEffects === false
  const patterns = sideEffects.map((each) => (each.includes('/') ? each : `**/${each}`))
  const hasSideEffects = createFilter(patterns, null, { resolve: path.dirname(manifest) })
  return (file) => patterns.length === 0 || !hasSideEffects(file)
}

const exportedName = new RegExp(`${ssrExportNameKey}\\("([^"]+)"`, 'g')

/**
 * If a module without side effects throws an error while it runs, throws this error only when code
 * uses one of the module's exports. So a server component can import one name of a package whose
 * other modules create contexts, as in a build.
 * @param running settles when the module has run
 * @param exports of the module
 * @param code that the module runner executes
 */
export async function withLaterError(
  running: Promise<unknown>,
  exports: object,
  code: string,
): Promise<void> {
  try {
    await running
  } catch (error) {
    const names = new Set(Object.keys(exports))
    for (const [, name = ''] of code.matchAll(exportedName)) names.add(name)
    // A build also fails if a file is missing, even if nothing uses it.
    if (isFetchError(error) || names.size === 0) throw error
    const get = () => {
      throw error
    }
    for (const name of names) {
      Object.defineProperty(exports, name, { enumerable: true, configurable: true, get })
    }
    Object.seal(exports)
  }
}

/** Vite's module runner marks the errors of modules that it can't get from the dev server. */
function isFetchError(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'runnerError' in error
}
