/**
 * Shows an error over the page, in development: the dev server knows the rest by its digest.
 * @param digest `null` when nothing was reported
 */
export function showFailure(digest: string | null): void {
  if (!import.meta.env.DEV || digest === null) return
  const overlay = `${import.meta.env.BASE_URL}@id/virtual:waymark/overlay`
  import(/* @vite-ignore */ overlay).then(
    ({ show }) => show(digest),
    // The dev server has gone; the console has the error.
    () => {},
  )
}
