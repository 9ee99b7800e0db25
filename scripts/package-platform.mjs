// @ts-check

/** @typedef {{ os?: string[], cpu?: string[], libc?: string[] }} Platform the values for which a package can be installed; without a member, all */

const systems = ['aix', 'android', 'darwin', 'freebsd', 'linux', 'netbsd', 'openbsd', 'openharmony', 'sunos', 'win32']
const processors = ['arm', 'arm64', 'ia32', 'loong64', 'mips64el', 'ppc64', 'riscv64', 's390x', 'wasm32', 'x64']

/** Returns the platform that the name of a package contains: `@rolldown/binding-linux-arm64-gnu`. @param {string} name @returns {Platform} */
export function platformInName(name) {
  const words = name.split(/[/-]/)
  const os = systems.filter((word) => words.includes(word))
  const cpu = processors.filter((word) => words.includes(word))
  const libc = words.some((word) => word.startsWith('musl'))
    ? 'musl'
    : words.some((word) => word.startsWith('gnu'))
      ? 'glibc'
      : null
  return {
    ...(os.length > 0 && { os }),
    ...(cpu.length > 0 && { cpu }),
    ...(libc !== null && { libc: [libc] }),
  }
}

/** Returns the folder whose node_modules contains the package at a path of the lock, with a slash at the end. @param {string} place */
export function parentOf(place) {
  return place.slice(0, Math.max(0, place.lastIndexOf('node_modules/')))
}

/**
 * Returns the paths of the lock where Node searches for a dependency: in the package itself, then in each parent folder.
 * @param {string} place @param {string} name @returns {string[]}
 */
export function searchedPlaces(place, name) {
  const places = []
  for (let folder = place; ; folder = parentOf(folder).replace(/\/$/, '')) {
    places.push(folder === '' ? `node_modules/${name}` : `${folder}/node_modules/${name}`)
    if (folder === '') return places
  }
}
