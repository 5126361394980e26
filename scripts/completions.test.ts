import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { API } from 'typescript/unstable/sync'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { root } from './workspace/paths.mjs'
import { run } from './workspace/run.mjs'

const files: Readonly<Record<string, string>> = {
  'app/layout.tsx': 'export default ({ children }: { children: unknown }) => children',
  'app/page.tsx': 'export default () => null',
  'app/trails/[slug]/page.tsx': `import type { PageProps } from 'waymark'

export default async function Trail({ params }: PageProps<'/trails/[slug]'>) {
  return <h1>{(await params)./*param*/}</h1>
}
`,
  'app/search/page.tsx': `import type { PageProps } from 'waymark'
import { z } from 'zod'

export const searchParams = z.object({ page: z.coerce.number(), order: z.string() })

export default async function Search(props: PageProps<'/search'>) {
  return <h1>{(await props.searchParams)./*query*/}</h1>
}
`,
  'app/links.tsx': `import { Link } from 'waymark'
import { useRouter } from 'waymark/client'

export const links = [
  <Link href="/*href*/" />,
  <Link href={{ pathname: '/*pathname*/' }} />,
  <Link href={{ pathname: '/trails/[slug]', params: { /*params*/ } }} />,
  <Link href={{ pathname: '/search', query: { /*fields*/ } }} />,
]

export function Push() {
  return <button type="button" onClick={() => useRouter().push('/*push*/')} />
}
`,
}

let folder = ''
let api: API
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'waymark-completions-'))
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    writeFileSync(join(folder, file), text)
  }
  const template = join(root, 'packages/create-waymark/templates/minimal/tsconfig.json')
  writeFileSync(join(folder, 'tsconfig.json'), readFileSync(template))
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  const bin = join(root, 'packages/waymark/bin/waymark.js')
  const { exitCode, output } = await run(process.execPath, [bin, 'types', folder], {
    cwd: root,
    quiet: true,
  })
  expect(exitCode, output).toBe(0)
  api = new API({ cwd: folder })
})
afterAll(() => {
  api.close()
  rmSync(folder, { recursive: true })
})

/** Returns the completions that an editor offers at a mark in a file. */
function completionsAt(mark: string): string[] {
  const [file = '', text = ''] = Object.entries(files).find(([, each]) => each.includes(mark)) ?? []
  const path = join(folder, file)
  const config = join(folder, 'tsconfig.json')
  const project = api.updateSnapshot({ openProject: config }).getProject(config)
  const completions = project?.checker.getCompletionsAtPosition(path, text.indexOf(mark))
  return (completions?.entries ?? []).map(({ name }) => name)
}

test.each([
  ['/*href*/', ['/', '/search']],
  ['/*push*/', ['/', '/search']],
  ['/*pathname*/', ['/', '/search', '/trails/[slug]']],
  ['/*params*/', ['slug']],
  ['/*fields*/', ['order', 'page']],
  ['/*param*/', ['slug']],
  ['/*query*/', ['order', 'page']],
])('an editor completes %s', (mark, expected) => {
  expect(completionsAt(mark)).toEqual(expect.arrayContaining(expected))
})
