import type { Finding, Names } from './plan.ts'

type Note = Pick<Finding, 'kind' | 'text'>

const change = (text: string): Note => ({ kind: 'change', text })
const differs = (text: string): Note => ({ kind: 'differs', text })

const serviceWorker = differs(
  "its service worker was built by Next's build. Use vite-plugin-pwa, or write public/sw.js.",
)

const generated = (program: string) =>
  differs(
    `the scripts now run "${program} build" first. To rebuild changes during development, also run "${program} dev" while the dev server runs.`,
  )

/** Programs that packages run inside Next's build. After the move, they run before the build. */
export const programs: Readonly<Record<string, string>> = {
  'next-contentlayer': 'contentlayer build',
  'next-contentlayer2': 'contentlayer2 build',
}

/** Packages that only work inside Next's build, and how to replace them. */
const notes: Readonly<Record<string, Note>> = {
  '@ducanh2912/next-pwa': serviceWorker,
  '@next/mdx': differs(
    '@mdx-js/rollup compiles .mdx files, with the plugins that next.config passes to @next/mdx.',
  ),
  '@serwist/next': serviceWorker,
  '@vanilla-extract/next-plugin': change('add @vanilla-extract/vite-plugin to vite.config.mts.'),
  'eslint-config-next': change(
    "eslint-config-next loads Next files that don't exist here. Use its plugins directly.",
  ),
  'next-contentlayer': generated('contentlayer'),
  'next-contentlayer2': generated('contentlayer2'),
  'next-i18next': change(
    'it only works in pages/. Use i18next with a [locale] folder, or next-intl.',
  ),
  'next-pwa': serviceWorker,
  'next-sitemap': change(
    "it reads files from Next's build, so its script was removed. Write app/sitemap.ts and app/robots.ts.",
  ),
}

/**
 * Packages whose versions before a major version read `headers()` or `cookies()` without waiting.
 * Next refuses this since version 16, as Waymark does.
 */
const syncBefore: Readonly<Record<string, number>> = {
  '@clerk/nextjs': 6,
}

/**
 * Returns notes about an app's packages.
 * @param packages versions by name
 * @param lineOf returns the line number of a string in `package.json`
 */
export function packageNotes(packages: Names, lineOf: (text: string) => number): Finding[] {
  return Object.entries(packages).flatMap(([name, version]) => {
    const ofPackage = [notes[name] ?? [], syncNote(name, version) ?? []].flat()
    return ofPackage.map(({ kind, text }) => ({
      kind,
      file: 'package.json',
      line: lineOf(`"${name}"`),
      text: text.includes(name) ? text : `${name}: ${text}`,
    }))
  })
}

function syncNote(name: string, version: string): Note | null {
  const firstMajor = syncBefore[name]
  const [, major] = /^[\^~>=\s]*(\d+)/.exec(version) ?? []
  if (firstMajor === undefined || major === undefined || Number(major) >= firstMajor) return null
  return change(
    `version ${version} reads headers() and cookies() without waiting, which fails. Update it to version ${firstMajor}.`,
  )
}
