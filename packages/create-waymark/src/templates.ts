import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** All templates, with the file of the start page. The first one is the default. */
export const templates = [
  { name: 'minimal', text: 'React and plain CSS', startPage: 'app/page.tsx' },
  { name: 'tailwind', text: 'the same app with Tailwind CSS', startPage: 'app/page.tsx' },
  {
    name: 'languages',
    text: 'the minimal app in English and German',
    startPage: 'app/[locale]/page.tsx',
  },
] as const

/** Name of a template, and of its folder. */
export type TemplateName = (typeof templates)[number]['name']

export function templateFolder(name: TemplateName): string {
  return fileURLToPath(new URL(`../templates/${name}`, import.meta.url))
}

/** Returns the file of a template's start page. */
export function startPageOf(name: TemplateName): string {
  return templates.find((template) => template.name === name)?.startPage ?? 'app/page.tsx'
}

/**
 * Finds a template by its name, or by its number in the list.
 * @returns `null` if no template matches
 */
export function findTemplate(typed: string): TemplateName | null {
  const wanted = typed.trim().toLowerCase()
  return (
    templates.find(({ name }, index) => name === wanted || `${index + 1}` === wanted)?.name ?? null
  )
}

/** Returns the names of all packages that the templates depend on. */
export function templatePackages(): string[] {
  const names = templates.flatMap(({ name }) => {
    const text = readFileSync(join(templateFolder(name), 'package.json'), 'utf8')
    const { dependencies, devDependencies } = JSON.parse(text) as TemplateManifest
    return Object.keys({ ...dependencies, ...devDependencies })
  })
  return [...new Set(names)]
}

/** The parts of a template's `package.json` that we read. */
export type TemplateManifest = {
  readonly dependencies: Readonly<Record<string, string>>
  readonly devDependencies: Readonly<Record<string, string>>
}
