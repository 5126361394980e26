/** The static page: no request data, no client component. */
export function StaticPage() {
  return (
    <article>
      <h1>A static page</h1>
      <p>It says the same to everyone, so that it can be rendered once, at build.</p>
    </article>
  )
}
