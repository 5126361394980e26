import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { dropPreviousBuild, previousPath, restoreBuild, setBuildAside } from './previousBuild.ts'

let dir = ''
beforeEach(() => {
  dir = mkdtempSync(path.join(tmpdir(), 'waymark-previous-'))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
})

function write(version: string, files: readonly string[]): void {
  for (const file of files) {
    mkdirSync(path.dirname(path.join(dir, file)), { recursive: true })
    writeFileSync(path.join(dir, file), version)
  }
}

const read = (file: string) => readFileSync(path.join(dir, file), 'utf8')
const all = ['rsc/index.js', 'client/a.js', 'prerendered.json', 'build.json']

/** The process that moved it has ended. */
function stop(): void {
  // No process has it.
  writeFileSync(previousPath(dir, 'pid'), '999999999')
}

test('a build that was stopped while it wrote is replaced by the one before', () => {
  write('old', [...all, 'secret'])
  setBuildAside(dir)
  write('new', ['rsc/index.js', 'prerendered.json'])
  stop()
  restoreBuild(dir)
  expect(all.map(read)).toEqual(all.map(() => 'old'))
  expect(read('secret')).toBe('old')
  expect(existsSync(previousPath(dir, '.'))).toBe(false)
})

test('a complete build stays, also when it was stopped before the one before was deleted', () => {
  write('old', all)
  setBuildAside(dir)
  write('new', all)
  stop()
  restoreBuild(dir)
  expect(all.map(read)).toEqual(all.map(() => 'new'))
})

test('a build that still runs is left alone', () => {
  write('old', all)
  setBuildAside(dir)
  writeFileSync(previousPath(dir, 'pid'), String(process.ppid))
  restoreBuild(dir)
  expect(existsSync(path.join(dir, 'build.json'))).toBe(false)
  expect(existsSync(previousPath(dir, 'build.json'))).toBe(true)
})

test('after a build that failed there is none', () => {
  write('old', all)
  setBuildAside(dir)
  dropPreviousBuild(dir)
  restoreBuild(dir)
  expect(existsSync(path.join(dir, 'build.json'))).toBe(false)
})

test('an incomplete build is not moved aside', () => {
  write('old', ['rsc/index.js'])
  setBuildAside(dir)
  expect(read('rsc/index.js')).toBe('old')
  expect(existsSync(previousPath(dir, '.'))).toBe(false)
})
