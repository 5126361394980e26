/** The start page for the navigations of `arrival.mjs`. */
export default function Page() {
  return (
    <>
      <h1>Arrival</h1>
      <a href="/arrival/target?q=1" data-prefetch="false">
        The target
      </a>
      <label>
        Draft <input name="draft" />
      </label>
    </>
  )
}
