# Sector 0 of the disk. It reads the pieces of the disk that `table` lists into memory, through the disk's registers and
# not the BIOS, which cannot reach above 1 MiB; enters 64-bit mode with memory mapped to itself by the page tables at
# 0x12000, which are among the pieces; and enters the kernel with the zero page at 0x10000 (Documentation/x86/boot.rst).
# `B` and `K` go to port 0xe9, so that watch.pl can tell how far it got.
        .code16
        .globl _start
_start: cli
        xorw %ax, %ax
        movw %ax, %ds
        movw %ax, %ss
        movw $0x7c00, %sp
        movb $'B', %al
        outb %al, $0xe9
        inb $0x92, %al
        orb $2, %al
        outb %al, $0x92
        lgdtl gdtr
        movl %cr0, %eax
        orb $1, %al
        movl %eax, %cr0
        ljmpl $8, $pm
        .code32
pm:     movw $0x18, %ax
        movw %ax, %ds
        movw %ax, %es
        movw %ax, %ss
        cld
        movw $0x3f6, %dx                # no interrupts from the disk
        movb $2, %al
        outb %al, %dx
        movl $table, %esi
piece:  movl (%esi), %ebx               # first sector
        movl 4(%esi), %ebp              # sectors
        movl 8(%esi), %edi              # address
        addl $12, %esi
        testl %ebp, %ebp
        jz done
chunk:  movl $128, %ecx
        cmpl %ecx, %ebp
        jae 1f
        movl %ebp, %ecx
1:      call ready
        movw $0x1f2, %dx
        movb %cl, %al
        outb %al, %dx
        incw %dx
        movl %ebx, %eax
        outb %al, %dx
        incw %dx
        shrl $8, %eax
        outb %al, %dx
        incw %dx
        shrl $8, %eax
        outb %al, %dx
        incw %dx
        shrl $8, %eax
        orb $0xe0, %al
        outb %al, %dx
        incw %dx
        movb $0x20, %al
        outb %al, %dx
        addl %ecx, %ebx
        subl %ecx, %ebp
sector: pushl %ecx
2:      call ready
        testb $8, %al
        jz 2b
        movw $0x1f0, %dx
        movl $128, %ecx
        rep insl
        popl %ecx
        decl %ecx
        jnz sector
        testl %ebp, %ebp
        jnz chunk
        jmp piece
ready:  movw $0x1f7, %dx
        inb %dx, %al
        testb $0x80, %al
        jnz ready
        ret
done:   movl %cr4, %eax
        orl $0x20, %eax
        movl %eax, %cr4
        movl $0x12000, %eax
        movl %eax, %cr3
        movl $0xc0000080, %ecx
        rdmsr
        orl $0x100, %eax
        wrmsr
        movl %cr0, %eax
        orl $0x80000000, %eax
        movl %eax, %cr0
        ljmpl $0x10, $lm
        .code64
lm:     movb $'K', %al
        outb %al, $0xe9
        movl $0x10000, %esi
        movl entry, %eax
        jmp *%rax
        .balign 8
gdt:    .quad 0, 0x00cf9b000000ffff, 0x00af9b000000ffff, 0x00cf93000000ffff
gdtr:   .word 31
        .long gdt
        .org 0x1c0
entry:  .long 0
table:  .fill 12, 4, 0                  # from 0x1c4; filled in for each run
        .org 510
        .word 0xaa55
