import { rmSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import { copyApp } from './harness/appFolder.ts'
import { runWaymark } from './harness/commandLine.ts'

function build(files: Readonly<Record<string, string>>, heapMb: number) {
  const root = copyApp({ app: 'cli', files })
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  return runWaymark(['build'], root, { NODE_OPTIONS: `--max-old-space-size=${heapMb}` })
}

test('a build works with a limited heap', async () => {
  const { exitCode, output } = await build({}, 300)
  expect(exitCode, output).toBe(0)
  expect(output).not.toContain('out of memory')
})

test('a build whose heap is too small says what to do', async () => {
  const { exitCode, output } = await build({}, 16)
  expect(exitCode).toBe(1)
  expect(output).toContain('The build ran out of memory: its JavaScript heap is limited to 16 MB.')
  expect(output).toContain('Give the build more memory')
})

test('a build that the system kills says what to do', async () => {
  const files = {
    'vite.config.ts': `import { waymark } from 'waymark/vite'

const killed = { name: 'killed', buildStart: () => process.kill(process.pid, 'SIGKILL') }
export default { plugins: [waymark(), killed] }
`,
  }
  const { exitCode, output } = await build(files, 300)
  expect(exitCode).toBe(1)
  expect(output).toMatch(/The system ended the build, .* needed more than \d+ MB of memory/)
})

test('a page whose prerendering takes all memory is named', async () => {
  const files = {
    'app/large/page.tsx': `export default function Page() {
  const all: string[] = []
  for (let at = 0; ; at++) all.push(\`\${at} \`.repeat(1_000))
}
`,
  }
  const { exitCode, output } = await build(files, 200)
  expect(exitCode).toBe(1)
  expect(output).toMatch(/ended \(SIGABRT\), most likely because it ran out of memory/)
  expect(output).toContain('/large (large/page.tsx)')
})
