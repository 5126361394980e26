import { expect, test } from 'vitest'
import { findNextInNx, moveProject } from './scripts.ts'

test('rewrites single commands, lists of commands and outputs of Nx', () => {
  const project = (command: string, dev: string, folder: string) => `{ "targets": {
    "build": { "outputs": ["{projectRoot}/${folder}", "!{projectRoot}/${folder}/cache"] },
    "serve": { "command": "${command}" },
    "dev": { "options": { "commands": ["prisma generate", "${dev}", { "command": "${dev}" }] } },
    "clean": { "command": "rm -rf ${folder}" }
  } }`
  const before = project('pnpm next start -p 3000', 'next dev --turbopack', '.next')
  const after = project('pnpm waymark start --port 3000', 'waymark dev', '.waymark')
  expect(moveProject(before)).toBe(after)
  expect(moveProject(after)).toBe(after)
})

test.each([
  ['"executor": "@nx/next:build"', /^@nx\/next:build runs Next\. .* "waymark build"\.$/],
  ['"executor": "@nx/next:server"', /^@nx\/next:server runs Next\. .* "waymark dev"\.$/],
  ['"plugin": "@nx/next/plugin"', /^@nx\/next\/plugin creates targets that run Next/],
  ['"command": "next build"', /^it runs "next build" in each project\. Set "waymark build"/],
])('lists %s, which runs Next', (entry, text) => {
  expect(findNextInNx('nx.json', `{\n  ${entry}\n}`)).toEqual([
    { kind: 'change', file: 'nx.json', line: 2, text: expect.stringMatching(text) },
  ])
})

test("doesn't list commands of Waymark", () => {
  expect(findNextInNx('project.json', '{ "command": "waymark build" }')).toEqual([])
})
