import type { Subject } from './subjects.ts';
import { Select } from '../ui/form.tsx';

interface SubjectChoiceProps {
  subjects: Subject[];
  value: Subject;
  onSelect: (id: string) => void;
}

/** Asks for whom; nothing where there is no choice. */
export function SubjectChoice({ subjects, value, onSelect }: SubjectChoiceProps) {
  if (subjects.length < 2) return null;
  return (
    <div class="choice">
      <Select
        label="For"
        value={value.id}
        options={subjects.map(({ id, name }) => [id, name])}
        onSelect={onSelect}
      />
    </div>
  );
}
