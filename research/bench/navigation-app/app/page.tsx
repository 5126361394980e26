/** The start page for each measured navigation. */
export default function Page() {
  return (
    <>
      <h1>Start</h1>
      <a href="/prefetched">Fetched ahead</a>{' '}
      <a href="/fresh?q=1" data-prefetch="false">
        Not fetched ahead
      </a>{' '}
      <a href="/own?q=1">With code of its own</a>
    </>
  )
}
