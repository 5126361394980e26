export default function Page() {
  return <h1>New</h1>
}
