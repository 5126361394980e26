/** Folders with a guard of each kind. Each folder contains a modal for `/photo/[id]`. */
export const guardedFolders = {
  admin: { by: 'proxy.ts, which refuses', secret: ['layout', 'page', 'modal'] },
  moved: { by: 'proxy.ts, which redirects', secret: ['layout', 'page', 'modal'] },
  masked: { by: 'proxy.ts, which rewrites', secret: ['layout', 'page', 'modal'] },
  headed: { by: 'its layout, by a header of proxy.ts', secret: ['page', 'modal'] },
  area: { by: 'its layout, by a cookie', secret: ['page', 'modal'] },
  desk: { by: 'its page', secret: ['page'] },
} as const

export type GuardedFolder = keyof typeof guardedFolders

const ask = {
  headed: "(await headers()).get('x-user') === 'root'",
  area: "(await cookies()).get('role')?.value === 'admin'",
}
const refuseUnless = (admits: string) => `  if (!(${admits})) forbidden()\n`
const imports = `import { forbidden } from 'waymark'
import { cookies, headers } from 'waymark/server'
`

/**
 * Returns the files of the guarded folders. Content that only `role=admin` may see contains
 * `SECRET`.
 */
export function guardedFiles(): Record<string, string> {
  const names = Object.keys(guardedFolders) as GuardedFolder[]
  return Object.assign({}, ...names.map(filesOf))
}

function filesOf(name: GuardedFolder): Record<string, string> {
  const { secret } = guardedFolders[name]
  const label = (part: 'layout' | 'page' | 'modal') =>
    `${(secret as readonly string[]).includes(part) ? 'SECRET' : 'plain'} ${part} of ${name}`
  const guard = name === 'headed' || name === 'area' ? refuseUnless(ask[name]) : ''
  const pageGuard = name === 'desk' ? refuseUnless(ask.area) : ''
  const page = (part: 'page' | 'modal', actions: string, refusing: string) =>
    `${imports}import { ${part}Act } from '${actions}'
export const metadata = { title: '${label(part)}' }
export default async function Page() {
${refusing}  void [cookies, forbidden, headers]
  return <form action={${part}Act}><button>${label(part)}</button></form>
}
`
  const layout = `${imports}import type { ReactNode } from 'react'
export const metadata = { description: '${label('layout')}' }
export default async function Layout({ children, modal }: { children: ReactNode, modal: ReactNode }) {
${guard}  void [cookies, forbidden, headers]
  return <section><p>${guard ? 'SECRET' : label('layout')}</p>{children}{modal}</section>
}
`
  const actions = `'use server'
export async function pageAct() { console.info('RAN page of ${name}') }
export async function modalAct() { console.info('RAN modal of ${name}') }
`
  const screen = (text: string) => `export default function Screen() { return <p>${text}</p> }\n`
  const at = `app/${name}`
  return {
    [`${at}/layout.tsx`]: layout,
    [`${at}/actions.ts`]: actions,
    [`${at}/page.tsx`]: page('page', './actions.ts', pageGuard),
    [`${at}/not-found.tsx`]: screen(label('modal')),
    [`${at}/inner/loading.tsx`]: screen(label('modal')),
    [`${at}/inner/page.tsx`]: page('page', '../actions.ts', pageGuard),
    [`${at}/@modal/default.tsx`]: 'export default () => null\n',
    [`${at}/@modal/(..)photo/[id]/page.tsx`]: page('modal', '../../../actions.ts', ''),
  }
}
