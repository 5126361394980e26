import { expect, test } from 'vitest'
import { describeModes } from './harness/describeModes.ts'

const files = {
  'app/deep/page.tsx': `import { DataType } from './dataType.tsx'

export default async function Page({ searchParams }: { searchParams: Promise<{ data?: string }> }) {
  // Make each bracket four levels deep, because a URL with enough brackets to overflow the stack of
  // React's writer would be too long.
  const text = (await searchParams).data ?? '1'
  const deeper = text.replaceAll('[', '[[[[').replaceAll(']', ']]]]')
  return <DataType data={JSON.parse(deeper)} />
}
`,
  'app/deep/dataType.tsx': `'use client'

export function DataType({ data }: { data: unknown }) {
  return <p>{typeof data}</p>
}
`,
}

describeModes(
  'deeply nested data of a client',
  { app: 'hostile', files, modes: ['production'] },
  (served) => {
    test.each(['/deep', '/_waymark/data/deep.rsc'])(
      '%s is refused as the client’s mistake',
      async (path) => {
        const statusAt = async (levels: number) => {
          const data = '['.repeat(levels) + ']'.repeat(levels)
          const response = await served.fetch(`${path}?data=${data}`)
          expect(response.headers.get('x-waymark-digest')).toBe(null)
          return response.status
        }
        expect(await statusAt(100)).toBe(200)
        expect(await statusAt(4_000)).toBe(400)
        expect(await statusAt(5)).toBe(200)
        expect(served.app.logs()).not.toMatch(/RangeError|call stack/)
      },
    )
  },
)
