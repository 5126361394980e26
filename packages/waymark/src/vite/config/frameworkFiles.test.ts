import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { frameworkFilePattern, frameworkFiles, frameworkFolder } from './frameworkFiles.ts'

test.each(Object.values(frameworkFiles))('%s is a file of this package', (file) => {
  expect(['ts', 'tsx'].some((end) => existsSync(`${frameworkFolder}${file}.${end}`))).toBe(true)
})

test('a pattern matches installed files and those of the workspace', () => {
  const pattern = frameworkFilePattern('protocol', 'frames')
  expect(pattern.test('/app/node_modules/waymark/dist/wire/frames.js')).toBe(true)
  expect(pattern.test('/work/packages/waymark/src/wire/protocol.ts')).toBe(true)
  expect(pattern.test('/app/src/wire/protocol.ts')).toBe(false)
})
