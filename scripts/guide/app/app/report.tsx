export function Report() {
  return <p>All is well.</p>
}
