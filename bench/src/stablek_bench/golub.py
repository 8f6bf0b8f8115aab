"""The genes that tell two leukaemias apart, as published."""

from __future__ import annotations

#: Probes of the 50 genes that tell ALL from AML: Golub et al. (1999), Science 286,
#: 531-537, figure 3B.
GOLUB = {
    "ALL": (
        "U22376_cds2_s_at", "X59417_at", "U05259_rna1_at", "M92287_at", "M31211_s_at",
        "X74262_at", "D26156_s_at", "S50223_at", "M31523_at", "L47738_at", "U32944_at",
        "Z15115_at", "X15949_at", "X63469_at", "M91432_at", "U29175_at", "Z69881_at",
        "U20998_at", "D38073_at", "U26266_s_at", "M31303_rna1_at", "Y08612_at",
        "U35451_at", "M29696_at", "M13792_at",
    ),
    "AML": (
        "M55150_at", "X95735_at", "U50136_rna1_at", "M16038_at", "U82759_at",
        "M23197_at", "M84526_at", "Y12670_at", "M27891_at", "X17042_at", "Y00787_s_at",
        "M96326_rna1_at", "U46751_at", "M80254_at", "L08246_at", "M62762_at",
        "M28130_rna1_s_at", "M63138_at", "M57710_at", "M69043_at", "M81695_s_at",
        "X85116_rna1_s_at", "M19045_f_at", "M83652_s_at", "X04085_rna1_at",
    ),
}  # fmt: skip
