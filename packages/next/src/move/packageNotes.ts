import type { Finding } from './plan.ts'

type Note = Pick<Finding, 'kind' | 'text'>

const change = (text: string): Note => ({ kind: 'change', text })
const differs = (text: string): Note => ({ kind: 'differs', text })

const serviceWorker = differs(
  'its service worker is a part of the other build: use vite-plugin-pwa, or write public/sw.js.',
)

const generated = (program: string) =>
  differs(
    `the scripts run "${program} build" first; while the dev server runs, "${program} dev" beside it builds what changes.`,
  )

/** Programs that these packages ran within the other build: they run before this one. */
export const programs: Readonly<Record<string, string>> = {
  'next-contentlayer': 'contentlayer build',
  'next-contentlayer2': 'contentlayer2 build',
}

/** Packages that do their work inside of the other framework's build, and what does it here. */
const notes: Readonly<Record<string, Note>> = {
  '@ducanh2912/next-pwa': serviceWorker,
  '@next/mdx': differs('.mdx files are compiled by @mdx-js/rollup; its plugins are next({ mdx }).'),
  '@serwist/next': serviceWorker,
  '@vanilla-extract/next-plugin': change('add @vanilla-extract/vite-plugin to vite.config.mts.'),
  'eslint-config-next': change(
    'eslint-config-next loads files of next that are not there: use the plugins that it is made of.',
  ),
  'next-contentlayer': generated('contentlayer'),
  'next-contentlayer2': generated('contentlayer2'),
  'next-i18next': change('it is for pages/: use i18next with a [locale] folder, or next-intl.'),
  'next-pwa': serviceWorker,
  'next-sitemap': change(
    'it reads files of the other build, so its script is gone: write app/sitemap.ts and app/robots.ts.',
  ),
}

/** @param names of the app's packages @param lineOf where `package.json` has a text */
export function packageNotes(
  names: readonly string[],
  lineOf: (text: string) => number,
): Finding[] {
  return names.flatMap((name) => {
    const note = notes[name]
    if (!note) return []
    const text = note.text.includes(name) ? note.text : `${name}: ${note.text}`
    return [{ kind: note.kind, file: 'package.json', line: lineOf(`"${name}"`), text }]
  })
}
