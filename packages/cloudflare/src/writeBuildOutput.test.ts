import { expect, test } from 'vitest'
import { workerConfig, workerName } from './writeBuildOutput.ts'

test('variables are secrets, unless the adapter gets their values', () => {
  const { env } = workerConfig({
    name: 'app',
    modules: ['worker.js'],
    envNames: ['API_URL', 'DATABASE_URL'],
    vars: { API_URL: 'https://api.example.com' },
    plan: { runWorkerFirst: ['/*'] },
  })
  expect(env).toMatchObject({
    ASSETS: { type: 'assets' },
    WAYMARK_SECRET: { type: 'secret' },
    DATABASE_URL: { type: 'secret' },
    API_URL: { type: 'text', value: 'https://api.example.com' },
  })
})

test('the manifest lists each module with its type', () => {
  const { manifest } = workerConfig({
    name: 'app',
    modules: ['worker.js', 'chunks/a.js', 'chunks/b.wasm'],
    envNames: [],
    plan: { runWorkerFirst: ['/*'] },
  })
  expect(manifest).toEqual({
    type: 'complete',
    mainModule: 'worker.js',
    modules: {
      'worker.js': { type: 'esm' },
      'chunks/a.js': { type: 'esm' },
      'chunks/b.wasm': { type: 'wasm' },
    },
  })
})

test.each([
  ['my-app', 'my-app'],
  ['@acme/My_App', 'acme-my-app'],
  ['...', 'waymark-app'],
  [`${'a'.repeat(53)}-b`, 'a'.repeat(53)],
])('the worker of the package %s is called %s', (name, expected) => {
  expect(workerName(name)).toBe(expected)
})
