export default function Unseen(): null {
  return null
}
