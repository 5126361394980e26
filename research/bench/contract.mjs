/**
 * Measures `waymark contract` on an app with many routes and four personas: pages in nested guarded
 * layouts, pages with params, actions and route handlers. The bar is 60 s for 300 routes on two
 * cores, without the check of accessibility.
 *
 *   node contract.mjs [--routes 300] [--rounds 2]
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { cliFile } from './lib/fixture.mjs'
import { measureCommand } from './lib/process.mjs'
import { describeMachine, printTable } from './lib/report.mjs'

const { values: options } = parseArgs({
  options: {
    routes: { type: 'string', default: '300' },
    rounds: { type: 'string', default: '2' },
  },
})

console.log(describeMachine())
// Below the end-to-end tests, whose `node_modules` has the packages.
const root = fileURLToPath(new URL('../../e2e/apps/contract/', import.meta.url))
writeApp(Number(options.routes))
const run = (...flags) =>
  measureCommand([cliFile, 'contract', '--skip', 'accessibility', ...flags], { cwd: root })
const rows = [{ run: 'with the build', ...(await run()) }]
for (let round = 0; round < Number(options.rounds); round++) {
  rows.push({ run: 'check', ...(await run('--check')) })
}
printTable(
  [
    ['run', 'run'],
    ['s', 'seconds'],
    ['processor s', 'cpuSeconds'],
    ['peak MB', 'peakMb'],
  ],
  rows,
)
console.log('to reach: 60 s')

/** A tenth of the routes are handlers, and each tenth page has an action. */
function writeApp(count) {
  rmSync(root, { recursive: true, force: true })
  write('package.json', '{ "name": "contract", "private": true, "type": "module" }\n')
  write(
    'vite.config.ts',
    `import { contract } from '@waymark/contract/vite'
import { waymark } from 'waymark/vite'

export default { plugins: [waymark(), contract()] }
`,
  )
  write(
    'contract.config.ts',
    `const session = (value) => () => ({ cookies: { session: value } })

export default {
  personas: { member: session('member'), other: session('other'), admin: session('admin') },
  params: { id: '1' },
}
`,
  )
  write(
    'gate.ts',
    `import { forbidden, unauthorized } from 'waymark'
import { cookies } from 'waymark/server'

export async function requireRole(admins: boolean) {
  const session = (await cookies()).get('session')?.value
  if (!session) unauthorized()
  if (admins && session !== 'admin') forbidden()
}
`,
  )
  write(
    'ui/card.tsx',
    `'use client'

export function Card({ item }: { item: { id: number; title: string } }) {
  return <p>{item.title}</p>
}
`,
  )
  write('app/layout.tsx', layout('', '<html lang="en"><body>{children}</body></html>'))
  for (let at = 0; at < count; at++) {
    const area = ['open', 'members', 'admin'][at % 3]
    const folder = `app/${area}/part-${Math.floor(at / 30)}/item-${at}`
    if (at % 10 === 9) {
      write(`${folder}/route.ts`, handler(area))
      continue
    }
    const isParam = at % 5 === 4
    write(`${folder}/${isParam ? '[id]/' : ''}page.tsx`, page(at))
    if (at % 10 === 0) write(`${folder}/actions.ts`, action(at))
  }
  for (const area of ['members', 'admin']) {
    const guard = `await requireRole(${area === 'admin'})`
    write(`app/${area}/layout.tsx`, layout(guard, '<section>{children}</section>'))
  }
}

function layout(guard, content) {
  return `import type { ReactNode } from 'react'
${guard && "import { requireRole } from '../../gate.ts'\n"}
export default async function Layout({ children }: { children: ReactNode }) {
  ${guard}
  return ${content}
}
`
}

function page(at) {
  const hasAction = at % 10 === 0
  return `import { Card } from '../../../../${at % 5 === 4 ? '../' : ''}ui/card.tsx'
${hasAction ? `import { save${at} } from './actions.ts'\n` : ''}
export default function Page() {
  return (
    <>
      <h1>Item ${at}</h1>
      <Card item={{ id: ${at}, title: 'Item ${at}' }} />
      ${hasAction ? `<form action={save${at}}><button type="submit">Save</button></form>` : ''}
    </>
  )
}
`
}

function action(at) {
  return `'use server'

export async function save${at}() {}
`
}

function handler(area) {
  const guard = area === 'open' ? '' : `await requireRole(${area === 'admin'})`
  return `import { requireRole } from '../../../../gate.ts'

export async function GET() {
  ${guard || 'void requireRole'}
  return Response.json({ ok: true })
}
`
}

function write(name, content) {
  const file = join(root, name)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, content)
}
