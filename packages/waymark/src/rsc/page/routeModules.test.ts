import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createRouteModules } from './routeModules.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

function create(load: () => Promise<Record<string, unknown>>) {
  return createRouteModules({ imports: { 'page.tsx': load }, stylesheets: {}, devStyles: {} })
}

test('a file is loaded once', async () => {
  const load = vi.fn(async () => ({ title: 'Blog' }))
  const modules = create(load)
  const file = await modules.load('page.tsx')
  expect(file.module).toEqual({ title: 'Blog' })
  expect(modules.load('page.tsx')).toBe(file)
  expect(load).toHaveBeenCalledOnce()
})

test('a file that never finishes loading fails with its name, and is loaded again', async () => {
  const load = vi.fn(() => new Promise<never>(() => {}))
  const modules = create(load)
  const loading = Promise.resolve(modules.load('page.tsx'))
  const text = /app\/page\.tsx did not finish loading within 60 s.*If the machine was busy/
  const failed = expect(loading).rejects.toThrow(text)
  await vi.advanceTimersByTimeAsync(60_000)
  await failed
  void Promise.resolve(modules.load('page.tsx')).catch(() => {})
  expect(load).toHaveBeenCalledTimes(2)
})
