/**
 * Returns the paths of the packages that the root package needs in `packages` of a lock file: those that
 * `npm ci --workspaces=false` installs, without what it adds for optional peers.
 */
export function pathsOfRoot(packages) {
  const paths = new Set([''])
  // A set that is iterated also yields what is added on the way: the dependencies of dependencies.
  for (const path of paths) {
    for (const name of dependenciesOf(packages[path])) {
      const found = locate(packages, path, name)
      if (found !== null) paths.add(found)
    }
  }
  paths.delete('')
  return paths
}

function dependenciesOf({ peerDependencies = {}, peerDependenciesMeta, ...entry }) {
  const peers = Object.keys(peerDependencies).filter(
    (name) => peerDependenciesMeta?.[name]?.optional !== true,
  )
  const others = { ...entry.dependencies, ...entry.optionalDependencies, ...entry.devDependencies }
  return [...Object.keys(others), ...peers]
}

/** Looks in the nearest node_modules first, as Node does. */
function locate(packages, path, name) {
  const candidate = `${path}/node_modules/${name}`.replace(/^\//, '')
  if (candidate in packages) return candidate
  if (path === '') return null
  const parent = path.slice(0, Math.max(0, path.lastIndexOf('node_modules/') - 1))
  return locate(packages, parent, name)
}
