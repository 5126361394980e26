export default function Page() {
  return <p>The same for everybody</p>
}
