import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { announceLong } from './fetchPackages.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('work that takes longer than a second is announced once, with the text at that time', async () => {
  const lines: string[] = []
  let resolve = (_value: number) => {}
  const promise = new Promise<number>((resolvePromise) => {
    resolve = resolvePromise
  })
  let text = 'Starting'
  const work = announceLong(
    promise,
    () => text,
    (line) => lines.push(line),
  )
  await vi.advanceTimersByTimeAsync(900)
  expect(lines).toEqual([])
  text = 'Still starting'
  await vi.advanceTimersByTimeAsync(5_000)
  expect(lines).toEqual(['Still starting'])
  resolve(1)
  expect(await work).toBe(1)
})

test("work that ends or fails within a second isn't announced", async () => {
  const lines: string[] = []
  const print = (line: string) => void lines.push(line)
  await announceLong(Promise.resolve(), () => 'a', print)
  await expect(announceLong(Promise.reject(new Error('b')), () => 'b', print)).rejects.toThrow('b')
  await vi.advanceTimersByTimeAsync(5_000)
  expect(lines).toEqual([])
})

test('works that wait for the same are announced once', async () => {
  const lines: string[] = []
  const print = (line: string) => void lines.push(line)
  const ends: (() => void)[] = []
  const works = ['bundles', 'bundles', 'app'].map((text) => {
    const work = new Promise<void>((resolve) => {
      ends.push(resolve)
    })
    return announceLong(work, () => text, print)
  })
  await vi.advanceTimersByTimeAsync(1_000)
  expect(lines).toEqual(['bundles', 'app'])
  for (const end of ends) end()
  await Promise.all(works)
  void announceLong(new Promise(() => {}), () => 'bundles', print)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(lines).toEqual(['bundles', 'app', 'bundles'])
})
