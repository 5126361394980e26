import { expect, test } from 'vitest'
import { listIdleModules } from './idleModules.ts'

const framework = '/app/node_modules/waymark/dist/client/'
const hooks = '\0virtual:waymark/hooks/'

function idleModules(
  imports: Readonly<Record<string, readonly string[]>>,
  dynamicImports: Readonly<Record<string, readonly string[]>>,
) {
  const graph = {
    imports: new Map(Object.entries(imports)),
    dynamicImports: new Map(Object.entries(dynamicImports)),
  }
  return [...listIdleModules(graph)].sort()
}

test('a page loads what its first script imports dynamically, but not what that code imports later', () => {
  const modules = idleModules(
    {
      'virtual:entry': [`${framework}browserEntry.js`],
      [`${framework}browserEntry.js`]: [`${framework}loader.js`],
      [`${framework}loader.js`]: [`${framework}browserEntry.js`],
      [`${framework}startReact.js`]: [],
    },
    {
      [`${framework}browserEntry.js`]: ['router'],
      [`${framework}loader.js`]: [`${framework}startReact.js`],
      [`${framework}startReact.js`]: ['rare'],
    },
  )
  expect(modules).toEqual([`${framework}startReact.js`, 'router'])
})

test('a page loads all code that packages import in their hooks, in several steps', () => {
  const modules = idleModules(
    {
      [`${framework}browserEntry.js`]: [`${hooks}onEvent`],
      [`${hooks}onEvent`]: ['/counter/count.js', `${framework}hooks/callHooks.js`],
      [`${hooks}onRouter`]: ['/live/live.js'],
      '/live/live.js': [`${framework}failures.js`],
    },
    {
      '/counter/count.js': ['/counter/recorder.js'],
      '/counter/recorder.js': ['/counter/vitals.js'],
      '/live/live.js': ['/live/socket.js'],
      [`${framework}failures.js`]: ['rare'],
    },
  )
  expect(modules).toEqual(['/counter/recorder.js', '/counter/vitals.js', '/live/socket.js'])
})
