export default function Page() {
  return <h1>Account</h1>
}
