import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { loadSharp } from '../image/variants.ts'
import type { Check } from './doctorChecks.ts'

const uses = {
  images: /\?image(?:&avif)?['"]/,
  remote: /['"]waymark\/image\/remote['"]/,
  cards: /['"](?:waymark|next)\/og['"]/,
} as const
const fontPackage = /\bpackage:\s*['"](@fontsource[\w-]*\/[\w-]+)['"]/g

/** Checks that an app has the optional packages for what its files use: images, cards, fonts. */
export async function checkPackages(root: string): Promise<Check[]> {
  const texts = readSources(root)
  const isUsed = (use: RegExp) => texts.some((text) => use.test(text))
  const checks: Check[] = []
  if (isUsed(uses.images) || isUsed(uses.remote)) {
    checks.push(await checkSharp(root, isUsed(uses.remote)))
  }
  if (isUsed(uses.cards)) checks.push(checkPackage(root, 'takumi-js', 'draws images'))
  const fonts = texts.flatMap((text) =>
    [...text.matchAll(fontPackage)].map(([, name = '']) => name),
  )
  for (const name of new Set(fonts)) checks.push(checkPackage(root, name, 'has a font'))
  return checks
}

async function checkSharp(root: string, isRemote: boolean): Promise<Check> {
  const lacks = (text: string, details: readonly string[] = []): Check => {
    return { name: 'packages', isOk: false, text, details }
  }
  const forServers = 'remoteImages() needs it where the app runs. Run: npm install sharp'
  try {
    await loadSharp(root)
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error)
    return lacks(text, isRemote ? [forServers] : [])
  }
  const { devDependencies = {} } = readManifest(root)
  if (isRemote && 'sharp' in devDependencies) return lacks('sharp is a devDependency', [forServers])
  return { name: 'packages', isOk: true, text: 'sharp is installed, for images', details: [] }
}

function checkPackage(root: string, name: string, does: string): Check {
  const paths = createRequire(path.join(root, 'package.json')).resolve.paths(name) ?? []
  const isOk = paths.some((folder) => existsSync(path.join(folder, name, 'package.json')))
  return isOk
    ? { name: 'packages', isOk, text: `${name} is installed`, details: [] }
    : {
        name: 'packages',
        isOk,
        text: `${name} ${does}, and is not installed. Run: npm install ${name}`,
        details: [],
      }
}

function readManifest(root: string): { devDependencies?: Readonly<Record<string, string>> } {
  return JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'))
}

/** The app's own files of code: what is built, installed or hidden is left out. */
function readSources(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const { name } = entry
    if (name.startsWith('.') || ['node_modules', 'dist', 'out'].includes(name)) return []
    const file = path.join(folder, name)
    if (entry.isDirectory()) return readSources(file)
    return entry.isFile() && /\.(?:[cm]?[jt]sx?|mdx)$/.test(name)
      ? [readFileSync(file, 'utf8')]
      : []
  })
}
