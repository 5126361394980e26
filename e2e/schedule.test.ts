import { expect, test } from 'vitest'
import { describeModes } from './harness/describeModes.ts'

const files = {
  'vite.config.ts': `import { schedule } from '@waymark/schedule/vite'
import { waymark } from 'waymark/vite'

export default {
  plugins: [waymark(), schedule({ jobs: new URL('./jobs.ts', import.meta.url) })],
}
`,
  'app/news/page.tsx': `export default function News() {
  return <p>Rendered at {Date.now()}.</p>
}
`,
  'jobs.ts': `import { defineJobs } from '@waymark/schedule'
import { revalidatePath } from 'waymark/server'

export default defineJobs([
  {
    name: 'hourly',
    every: 3_600_000,
    run: ({ dueAt }) => console.log(\`The job ran for \${dueAt.getTime()}.\`),
  },
  {
    name: 'news',
    every: 3_600_000,
    async run() {
      console.log(\`The news changed at \${Date.now()}.\`)
      await revalidatePath('/news')
    },
  },
  {
    name: 'broken',
    every: 3_600_000,
    run() {
      throw new Error('secret plan')
    },
  },
])
`,
}

const changed = /The news changed at (\d+)\./
const ran = /The job ran for (\d+)\./g

describeModes('scheduled jobs', { app: 'core', files, modes: ['production'] }, (served) => {
  test('run once in a server, and errors are logged with their digest', async () => {
    await expect.poll(served.app.logs, { timeout: 15_000 }).toMatch(ran)
    await expect.poll(served.app.logs).toMatch(/The job broken failed \(digest [\w-]+\)/)
    // Later looks at the clock don't run them again.
    await new Promise((resolve) => setTimeout(resolve, 3_000))
    expect(served.app.logs().match(ran)).toHaveLength(1)
    expect(served.app.logs().match(/The job broken failed/g)).toHaveLength(1)
  })

  test('revalidate static pages', async () => {
    await expect.poll(served.app.logs, { timeout: 15_000 }).toMatch(changed)
    const changedAtMs = Number(changed.exec(served.app.logs())?.[1])
    await expect.poll(renderedAtMs).toBeGreaterThanOrEqual(changedAtMs)

    async function renderedAtMs() {
      const text = await (await served.fetch('/news')).text()
      return Number(/Rendered at (?:<!-- -->)?(\d+)/.exec(text)?.[1])
    }
  })
})

describeModes('scheduled jobs', { app: 'core', files, modes: ['dev'] }, (served) => {
  test('do not run in development', async () => {
    expect((await served.fetch('/')).status).toBe(200)
    await new Promise((resolve) => setTimeout(resolve, 3_000))
    expect(served.app.logs()).not.toMatch(/The job/)
  })
})
