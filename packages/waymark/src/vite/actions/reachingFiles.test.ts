import { expect, test } from 'vitest'
import { modulesReaching } from './reachingFiles.ts'

const server: Record<string, string[]> = {
  actions: ['form', '\0virtual:vite-rsc/server-references'],
  form: ['page'],
  '\0virtual:vite-rsc/server-references': ['runtime'],
  runtime: ['page', 'other'],
  button: ['layout'],
  widget: [],
}
const client: Record<string, string[]> = {
  actions: ['hook', '\0virtual:vite-rsc/client-references'],
  hook: ['button', 'widget', 'hook'],
}

test('an action is reached by imports, on the server and through client components', () => {
  const reached = modulesReaching('actions', {
    importersOf: (side, id) => (side === 'server' ? server : client)[id] ?? [],
    isClientReference: (id) => id === 'button',
  })
  expect([...reached].sort()).toEqual(['actions', 'button', 'form', 'layout', 'page'])
})
