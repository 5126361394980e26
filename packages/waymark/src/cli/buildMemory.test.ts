import { expect, test } from 'vitest'
import { memoryFlags } from '../node/memoryFlags.ts'
import { memoryProblem, readBuildMemory } from './buildMemory.ts'

const mebibytes = (count: number) => count * 2 ** 20

test.each([
  ['', 512, { limitMb: 512, heapMb: 256 }],
  ['', 2_047, { limitMb: 2_047, heapMb: 1_023 }],
  ['', 2_048, null],
  ['--enable-source-maps', 16_384, null],
  ['--max-old-space-size=300', 512, { limitMb: 512, heapMb: 300 }],
  ['--trace-gc --max_old_space_size=4000', 16_384, { limitMb: 16_384, heapMb: 4_000 }],
])('with NODE_OPTIONS %j and %i MB, a build may use %j', (nodeOptions, limitMb, memory) => {
  expect(readBuildMemory(nodeOptions, mebibytes(limitMb))).toEqual(memory)
})

test.each([
  [{ code: null, signal: 'SIGABRT' }, /heap is limited to 256 MB/],
  [{ code: 134, signal: null }, /heap is limited to 256 MB/],
  [{ code: null, signal: 'SIGKILL' }, /more than 512 MB/],
  [{ code: 137, signal: null }, /more than 512 MB/],
] as const)('the exit %j is explained', (exit, message) => {
  expect(memoryProblem(exit, { limitMb: 512, heapMb: 256 })).toMatch(message)
})

test('a build that failed or was stopped did not run out of memory', () => {
  const memory = { limitMb: 512, heapMb: 256 }
  expect(memoryProblem({ code: 1, signal: null }, memory)).toBeNull()
  expect(memoryProblem({ code: null, signal: 'SIGTERM' }, memory)).toBeNull()
})

test('other processes of a build get its limits', () => {
  const flags = ['--max-old-space-size=256', '--max-semi-space-size=4']
  expect(memoryFlags([...flags, '--inspect'])).toEqual(flags)
})
