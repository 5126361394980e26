import { connection } from 'waymark/server'

/** 500 links, or the same number of text lines for comparison. */
export default async function Page({ searchParams }: { searchParams: Promise<{ as?: string }> }) {
  await connection()
  const { as } = await searchParams
  return (
    <>
      <h1>Many</h1>
      <ul>
        {Array.from({ length: 500 }, (_, index) => (
          <li key={index} style={{ display: 'inline-block', width: '6rem' }}>
            {as === 'text' ? (
              <span>Shelf {index}</span>
            ) : (
              <a href={`/prefetched?n=${index}`}>Shelf {index}</a>
            )}
          </li>
        ))}
      </ul>
    </>
  )
}
