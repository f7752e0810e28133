import type { MachineKey } from '../../contract/machines.ts';
import type { ProjectsView } from '../../contract/project.ts';
import { onMachine } from '../../shared/machineIds.ts';
import { Emitter } from '../../util/Emitter.ts';
import { follow } from '../../util/follow.ts';
import type { Machines } from '../Machines.ts';
import { RemoteProjects } from '../remoteShapes.ts';

/** The projects of all machines. A machine checks its folders only while a window is subscribed here, as this one does. */
export async function* followProjects(
  machines: Machines,
  own: AsyncIterable<ProjectsView>,
  signal: AbortSignal | undefined,
): AsyncGenerator<ProjectsView> {
  const views = new Map<MachineKey | null, ProjectsView>();
  const changed = new Emitter<ProjectsView>();
  const ended = new AbortController();
  const put = (key: MachineKey | null, view: ProjectsView): void => {
    views.set(key, view);
    if (views.has(null)) changed.fire(joined([...views.values()]));
  };
  const following = new Map<MachineKey, { unsubscribe(): void }>();
  /** Subscribes to new machines, and drops the projects of disconnected ones. */
  const join = (): void => {
    const known = machines.view.machines;
    for (const { key } of known) if (!following.has(key)) followOne(key);
    const gone = [...views.keys()].filter((key) => !known.some((one) => one.key === key && one.state !== 'off'));
    for (const key of gone) if (key !== null) views.delete(key);
    if (gone.some((key) => key !== null) && views.has(null)) changed.fire(joined([...views.values()]));
  };
  const ignore = (): void => undefined; // the next connection begins again
  const followOne = (key: MachineKey): void => {
    const link = machines.find(key);
    if (!link) return;
    const onData = (value: unknown): void => {
      const read = RemoteProjects.safeParse(value);
      if (read.success) put(key, renamed(key, read.data));
    };
    following.set(
      key,
      link.subscribe('project.onChange', () => undefined, { onData, onError: ignore, onComplete: ignore }),
    );
  };
  const joining = machines.onChange(join);
  const pump = async (): Promise<void> => {
    try {
      for await (const view of own) put(null, view);
    } finally {
      ended.abort();
    }
  };
  try {
    const begin = (): ProjectsView[] => {
      if (views.size > 0) return [joined([...views.values()])];
      join();
      void pump().catch(() => undefined); // our own projects never fail; the window asks again when this ends
      return [];
    };
    yield* follow(changed.on, begin, signal, ended.signal);
  } finally {
    joining.dispose();
    for (const one of following.values()) one.unsubscribe();
    changed.dispose();
  }
}

function joined(views: readonly ProjectsView[]): ProjectsView {
  return {
    projects: views.flatMap(({ projects }) => projects),
    rootOf: Object.assign({}, ...views.map(({ rootOf }) => rootOf)),
    portsOf: Object.assign({}, ...views.map(({ portsOf }) => portsOf)),
  };
}

/** A root is a path on that machine, so it gets the machine's name: the same path here is another folder. */
function renamed(key: MachineKey, { projects, rootOf, portsOf }: ProjectsView): ProjectsView {
  return {
    projects: projects.map((project) => ({ ...project, root: onMachine(key, project.root) })),
    rootOf: Object.fromEntries(Object.entries(rootOf).map(([id, root]) => [onMachine(key, id), onMachine(key, root)])),
    portsOf: Object.fromEntries(Object.entries(portsOf).map(([id, ports]) => [onMachine(key, id), ports])),
  };
}
