import { expect, test } from 'vitest'
import { describeModes } from './harness/describeModes.ts'

const files = {
  'app/deep/page.tsx': `import { Shown } from './shown.tsx'

export default async function Page({ searchParams }: { searchParams: Promise<{ data?: string }> }) {
  return <Shown data={JSON.parse((await searchParams).data ?? '1')} />
}
`,
  'app/deep/shown.tsx': `'use client'

export function Shown({ data }: { data: unknown }) {
  return <p>{typeof data}</p>
}
`,
}

// In development React writes the rows itself, and its stack ends later.
describeModes(
  'deep data of a client',
  { app: 'hostile', files, modes: ['production'] },
  (served) => {
    test.each(['/deep', '/_waymark/data/deep.rsc'])(
      '%s is refused as the client’s',
      async (path) => {
        const statusAt = async (levels: number) => {
          const data = '['.repeat(levels) + ']'.repeat(levels)
          const response = await served.fetch(`${path}?data=${data}`)
          expect(response.headers.get('x-waymark-digest')).toBe(null)
          return response.status
        }
        expect(await statusAt(500)).toBe(200)
        expect(await statusAt(3_500)).toBe(400)
        expect(await statusAt(5)).toBe(200)
        expect(served.app.logs()).not.toContain('DATA_DEPTH')
      },
    )
  },
)
